import { ScoutsError } from "../../../events/errors.ts";
import type { TrialId } from "../../../events/ids.ts";
import type { TrialMessage } from "../../../events/queues.ts";
import { ledgerKey, ledgerPrefix } from "../../keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Queue } from "../../ports/queue.ts";
import type { Item, Table } from "../../ports/table.ts";
import type { RingSealer } from "../../privacy/ring-sealer.ts";
import type { Transient } from "../../privacy/transient.ts";
import { readEach } from "../../stored-row.ts";
import { type ItemRow, parseItemRow } from "../items/item-row.ts";
import type { ScoutRow } from "../scout-row.ts";
import { type TrialRow, trialContext } from "./trial-row.ts";
import type { TrialStore } from "./trial-store.ts";

const pageSize = 1_000;
/** Rows of a scout are in no order of time; of one with more than this some of the newest may be passed over. */
const maxRowsRead = 20_000;

export interface StartTrialPorts {
  readonly ledger: Table;
  readonly trials: TrialStore;
  /** Goes to the queue its source's items are judged from. */
  readonly trialQueue: Queue<TrialMessage>;
  readonly vault: () => Promise<RingSealer>;
  readonly clock: Clock;
}

/**
 * Has a scout's newest verdicts asked for again by another purpose, beside the scout: nothing of it changes.
 *
 *   row with the sealed purpose ─▶ a message an item ─▶ "queued"
 *
 * Dying in between is mended by starting it again under the same id: an item that is queued twice has one result.
 *
 * @throws scout_disabled's cause, source_not_connected, trial_without_items; queue_unavailable: start it again;
 * trial_unknown when the id is another scout's trial
 */
export async function startTrial(
  ports: StartTrialPorts,
  scout: ScoutRow,
  wanted: { readonly trialId: TrialId; readonly purpose: Transient<string>; readonly last: number },
): Promise<TrialRow> {
  const { userId, scoutId } = scout;
  const nowMs = ports.clock();
  const row = (await ports.trials.get(userId, wanted.trialId, nowMs)) ?? (await begin(ports, scout, wanted, nowMs));
  if (row.scoutId !== scoutId) throw new ScoutsError("trial_unknown");
  if (row.queued) return row;
  const message = { v: 1, userId, scoutId, trialId: row.trialId, tries: 0, waits: 0 } as const;
  await ports.trialQueue.send(
    row.items.map(({ ref }) => ({ body: { ...message, ref }, group: userId, source: scout.sourceType })),
  );
  await ports.trials.queued(userId, row.trialId);
  return row;
}

async function begin(
  ports: StartTrialPorts,
  scout: ScoutRow,
  { trialId, purpose, last }: Parameters<typeof startTrial>[2],
  nowMs: number,
): Promise<TrialRow> {
  const { userId, scoutId, disabledCode, cursor } = scout;
  if (disabledCode) throw new ScoutsError(disabledCode, { data: { scoutId } });
  if (cursor === undefined) throw new ScoutsError("source_not_connected", { data: { scoutId } });
  const items = await newestVerdicts(ports.ledger, scout, last);
  if (items.length === 0) throw new ScoutsError("trial_without_items", { data: { scoutId } });
  const sealer = await ports.vault();
  const sealed = await sealer.seal(purpose, trialContext({ userId, scoutId, trialId }));
  await ports.trials.start(userId, { trialId, scoutId, sealed, items }, nowMs);
  const row = await ports.trials.get(userId, trialId, nowMs);
  if (!row) throw new ScoutsError("trial_unknown");
  return row;
}

/** What the scout judged last, newest first. What its owner muted is dismissed whatever the purpose. */
async function newestVerdicts(ledger: Table, { userId, scoutId }: ScoutRow, last: number): Promise<TrialRow["items"]> {
  const newest: ItemRow[] = [];
  let read = 0;
  let start: Item | undefined;
  do {
    const page = await ledger.query({
      hash: ledgerKey.user(userId).pk,
      prefix: ledgerPrefix.itemsOf(scoutId),
      limit: pageSize,
      ...(start ? { start } : {}),
    });
    newest.push(...readEach(page.items, parseItemRow).read.filter(hasVerdict));
    newest.sort((a, b) => (b.triagedAt ?? 0) - (a.triagedAt ?? 0) || (a.ref < b.ref ? -1 : 1));
    newest.length = Math.min(newest.length, last);
    read += page.items.length;
    start = page.next;
  } while (start && read < maxRowsRead);
  return newest.map(({ ref, status, reasonCode = "other" }) => ({
    ref,
    verdict: status === "spam" ? "spam" : "relevant",
    reasonCode,
  }));
}

const judgedStates: ReadonlySet<ItemRow["status"]> = new Set(["queued", "delivered", "acked", "expired", "spam"]);

function hasVerdict({ status, triagedAt, reasonCode }: ItemRow): boolean {
  return judgedStates.has(status) && triagedAt !== undefined && reasonCode !== "muted";
}
