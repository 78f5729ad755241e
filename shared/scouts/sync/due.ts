import { itemRef, scoutId, userId } from "../../../events/ids.ts";
import type { SyncMessage, TriageMessage } from "../../../events/queues.ts";
import { ledgerIndex, type ShardKind, shardsOf, splitItemKey } from "../../keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Queue } from "../../ports/queue.ts";
import type { Item, Table } from "../../ports/table.ts";
import type { ItemId, ItemStore } from "../items/item-store.ts";
import { nextPollAt } from "./schedule.ts";
import { isAtWork, parseScoutRow, type ScoutRow } from "../scout-row.ts";
import type { ScoutStore } from "../scout-store.ts";
import { maxAttempts } from "../settle-item.ts";
import { syncHint } from "./sync-hint.ts";

const pageSize = 100;
/** An item queued again is looked at by the next tick only if the queue lost it in the meantime. */
const graceMs = 15 * 60_000;

/** Index entries whose time has come, page by page, over all shards. */
export async function* dueKeys(ledger: Table, kind: ShardKind, nowMs: number): AsyncGenerator<readonly Item[]> {
  for (const hash of shardsOf(kind)) {
    let start: Item | undefined;
    do {
      const page = await ledger.query({
        index: ledgerIndex.due,
        hash,
        to: nowMs,
        limit: pageSize,
        ...(start ? { start } : {}),
      });
      yield page.items;
      start = page.next;
    } while (start);
  }
}

export interface PollPorts {
  readonly ledger: Table;
  readonly scouts: ScoutStore;
  readonly sync: Queue<SyncMessage>;
  readonly clock: Clock;
  readonly newId: () => string;
}

/**
 * Queues a sync for every scout that is due, then moves its time on, unless the sync has done so already. In that order:
 * dying in between repeats a hint, which harms nothing.
 *
 * @returns how many were queued
 */
export async function pollDueScouts(ports: PollPorts): Promise<number> {
  const nowMs = ports.clock();
  let queued = 0;
  for await (const keys of dueKeys(ports.ledger, "scout", nowMs)) {
    const rows = (await ports.ledger.getMany(keys.map(({ pk, sk }) => ({ pk, sk })))).map(parseScoutRow);
    const due = rows.filter((row) => row.dueAt !== undefined && row.dueAt <= nowMs);
    await ports.sync.send(due.map((row) => syncHint(row, "poll", ports.newId())));
    await Promise.all(due.map((row) => moveOn(ports.scouts, row, nowMs)));
    queued += due.length;
  }
  return queued;
}

/** A scout that is not at work has left a watch to be given up, which does not wait for its schedule. */
async function moveOn(scouts: ScoutStore, row: ScoutRow, nowMs: number): Promise<void> {
  const { userId: user, scoutId: scout, schedule, dueAt = 0 } = row;
  const nextAtMs = nextPollAt(isAtWork(row) ? schedule : undefined, nowMs);
  await scouts.schedule(user, scout, nextAtMs, { path: ["dueAt"], is: "=", value: dueAt });
}

export interface DuePorts {
  readonly ledger: Table;
  readonly items: ItemStore;
  readonly triage: Queue<TriageMessage>;
  readonly clock: Clock;
}

/** Queues failed and deferred items that are due again, and sets those aside whose attempts are spent. */
export async function requeueDueItems(ports: DuePorts): Promise<{ queued: number; dead: number }> {
  const nowMs = ports.clock();
  let queued = 0;
  let dead = 0;
  for await (const keys of dueKeys(ports.ledger, "item", nowMs)) {
    const rows = await ports.items.getMany(keys.map(itemIdOf));
    for (const row of rows) {
      if (row.dueAt === undefined || row.dueAt > nowMs) continue;
      if (row.attempts >= maxAttempts) {
        const code = row.code ?? "attempts_exhausted";
        if (await ports.items.end(row, { status: "dead", sourceType: row.sourceType, code }, nowMs)) dead += 1;
        continue;
      }
      const { userId: user, scoutId: scout, ref } = row;
      await ports.triage.send([{ body: { v: 1, userId: user, scoutId: scout, ref }, group: user }]);
      await ports.items.requeued(row, nowMs + graceMs);
      queued += 1;
    }
  }
  return { queued, dead };
}

/** The item an entry of an index leads to. */
export function itemIdOf(item: Pick<Item, "pk" | "sk">): ItemId {
  const { userId: user, scoutId: scout, ref } = splitItemKey(item);
  return { userId: userId.parse(user), scoutId: scoutId.parse(scout), ref: itemRef.parse(ref) };
}
