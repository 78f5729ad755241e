import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import type { KeptReason, Verdict } from "../../../events/proposals/verdict.ts";
import type { TriageMessage } from "../../../events/queues.ts";
import { delays, queueDelaySeconds } from "../../outcome/delays.ts";
import { outcomeOf } from "../../outcome/outcome.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Queue } from "../../ports/queue.ts";
import type { Archive, ConnectorRegistry } from "../connectors/connector.ts";
import type { SourceQuota } from "../quota/source-quota.ts";
import type { ScoutRow } from "../scout-row.ts";
import type { ItemRow } from "./item-row.ts";
import type { SpamStore } from "./spam-store.ts";

/** A source that cannot be reached is asked again for this long; then the item stays where it is. */
const giveUpAfterMs = 86_400_000;

export interface TrashPorts {
  readonly spam: SpamStore;
  readonly connectors: ConnectorRegistry;
  readonly quota: SourceQuota;
  readonly triage: Queue<TriageMessage>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Whether a verdict may be followed by moving the item to Trash, as far as that can be told without asking the source:
 * the scout's owner wants it, the model is sure, and it is no notice about an account. Written down with the verdict, so
 * that a worker that dies in between leaves word.
 */
export function mayTrash(scout: ScoutRow, verdict: Verdict, threshold: number): boolean {
  if (scout.autoTrash !== true || verdict.verdict !== "spam" || verdict.confidence < threshold) return false;
  // Sign-in codes and security alerts: losing one locks people out, and the forged kind has a code of its own.
  return verdict.reasonCode !== "account_or_security";
}

/**
 * Moves an item judged as spam to the source's Trash, or notes why not. Never fails the triage it belongs to: the verdict
 * stands, and what could not be done now is queued again.
 */
export async function trashSpam(ports: TrashPorts, scout: ScoutRow, row: ItemRow): Promise<void> {
  if (row.status !== "spam" || row.trash !== "due") return;
  try {
    await moveOrKeep(ports, scout, row);
  } catch (error) {
    ports.log.error("trash_failed", error, { scoutId: row.scoutId, ref: row.ref });
    await tryLater(ports, row, error);
  }
}

async function moveOrKeep(ports: TrashPorts, scout: ScoutRow, row: ItemRow): Promise<void> {
  const connector = ports.connectors.get(row.sourceType);
  const archive = connector?.archive;
  const reason = await outcomeAt(archive, scout, row, async () => {
    const limits = connector?.limits;
    const taken = await ports.quota.take(scout, limits, limits?.costs.archive ?? 0);
    if (taken.granted) return;
    throw new ScoutsError("source_rate_limited", { data: { retryAfterMs: taken.untilMs - ports.clock() } });
  });
  if (reason !== "archived") {
    await ports.spam.kept(row, reason);
    return;
  }
  if (await ports.spam.trashed(row, ports.clock())) return;
  // Restored by its owner while we were at it: the restoring came too early to see the item in Trash.
  await archive?.restore(scout, row.ref);
}

async function outcomeAt(
  archive: Archive | undefined,
  scout: ScoutRow,
  row: ItemRow,
  admitted: () => Promise<void>,
): Promise<"archived" | KeptReason> {
  if (scout.autoTrash !== true) return "switched_off";
  if (!archive || row.sourceState === undefined || !(await archive.granted(scout))) return "not_granted";
  await admitted();
  const outcome = await archive.archive(scout, row.ref, row.sourceState);
  // Only the worker that died after its call can have put it there while `due` stands, or its owner: either way it is.
  return outcome === "there" ? "archived" : outcome;
}

async function tryLater(ports: TrashPorts, row: ItemRow, error: unknown): Promise<void> {
  if (isScoutsError(error, "item_gone")) {
    await ports.spam.kept(row, "gone");
    return;
  }
  const nowMs = ports.clock();
  const outcome = outcomeOf(error, nowMs);
  const waitMs = outcome.kind === "defer" ? outcome.untilMs - nowMs : delays.trash;
  const passing = outcome.kind === "defer" || outcome.kind === "retry";
  if (!passing || nowMs - (row.triagedAt ?? 0) > giveUpAfterMs) {
    const isImpossible = isScoutsError(error, "source_lacks_move") || isScoutsError(error, "source_lacks_trash");
    await ports.spam.kept(row, outcome.kind === "disable" || isImpossible ? "not_granted" : "unavailable");
    return;
  }
  const { userId, scoutId, ref } = row;
  const delaySeconds = queueDelaySeconds(waitMs);
  await ports.triage.send([{ body: { v: 1, userId, scoutId, ref }, group: userId, delaySeconds }]);
}
