import { ScoutsError } from "../../../events/errors.ts";
import type { TrialItem, TrialResponse } from "../../../events/http/trials.ts";
import type { TrialId } from "../../../events/ids.ts";
import type { Clock } from "../../ports/clock.ts";
import { type ReadDismissedPorts, readDismissed } from "../items/read-dismissed.ts";
import type { ScoutRow } from "../scout-row.ts";
import type { TrialRow, TriedRow } from "./trial-row.ts";
import type { TrialStore } from "./trial-store.ts";

export interface ShowTrialPorts extends ReadDismissedPorts {
  readonly trials: TrialStore;
  readonly clock: Clock;
}

/**
 * A trial as it stands.
 *
 * @param read sender and subject of what would change are put beside, as the source shows them, for this answer only
 * @throws trial_unknown
 */
export async function showTrial(
  ports: ShowTrialPorts,
  scout: ScoutRow,
  trial: TrialId,
  read: boolean,
): Promise<TrialResponse> {
  const row = await ports.trials.get(scout.userId, trial, ports.clock());
  if (row?.scoutId !== scout.scoutId) throw new ScoutsError("trial_unknown");
  const results = await ports.trials.results(scout.userId, trial);
  const shown = describeTrial(row, [...results.values()]);
  if (!read) return shown;
  const changed = shown.items.filter((item) => changeOf(item) === "proposed" || changeOf(item) === "dismissed");
  const { userId, scoutId, sourceType } = scout;
  const atSource = await readDismissed(
    ports,
    scout,
    changed.map(({ ref }) => ({ userId, scoutId, sourceType, ref })),
  );
  const byRef = new Map(changed.map(({ ref }, at) => [ref, atSource[at]]));
  return {
    ...shown,
    items: shown.items.map((item) => {
      const seen = byRef.get(item.ref);
      return seen ? { ...item, atSource: seen } : item;
    }),
  };
}

/** What a row and its results come to. */
export function describeTrial(row: TrialRow, results: readonly TriedRow[]): TrialResponse {
  const byRef = new Map(results.map((each) => [each.ref, each]));
  const items = row.items.map(({ ref, verdict, reasonCode }): TrialItem => {
    const result = byRef.get(ref);
    return { ref, before: { verdict, reasonCode }, after: afterOf(result), code: result?.code ?? null };
  });
  const changes = Map.groupBy(items, changeOf);
  const count = (change: TrialChange) => changes.get(change)?.length ?? 0;
  return {
    id: row.trialId,
    scoutId: row.scoutId,
    status: count("unknown") === 0 ? "completed" : "running",
    startedAt: row.startedAt,
    expiresAt: row.expiresAt,
    total: items.length,
    judged: items.length - count("unknown"),
    newlyProposed: count("proposed"),
    newlyDismissed: count("dismissed"),
    unchanged: count("same"),
    failed: count("failed"),
    tokensUsed: results.reduce((sum, { tokens, billedBefore = 0 }) => sum + tokens + billedBefore, 0),
    items,
  };
}

type TrialChange = "proposed" | "dismissed" | "same" | "failed" | "unknown";

function changeOf({ before, after, code }: TrialItem): TrialChange {
  if (code !== null) return "failed";
  if (after === null) return "unknown";
  if (after.verdict === before.verdict) return "same";
  return after.verdict === "relevant" ? "proposed" : "dismissed";
}

function afterOf(result: TriedRow | undefined): TrialItem["after"] {
  const { verdict, reasonCode, confidence } = result ?? {};
  if (verdict === undefined || reasonCode === undefined || confidence === undefined) return null;
  return { verdict, reasonCode, confidence };
}
