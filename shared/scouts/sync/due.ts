import { itemRef, scoutId, userId } from "../../../events/ids.ts";
import type { SyncMessage, TriageMessage } from "../../../events/queues.ts";
import { type BreakerRow, openOf } from "../../breaker/breaker-row.ts";
import { requeueDelaySeconds, requeuesAllowed } from "../../breaker/drain-rate.ts";
import { splitItemKey } from "../../keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Outgoing, Queue } from "../../ports/queue.ts";
import type { Key, Table } from "../../ports/table.ts";
import { readableRows, storedRow, tellDamage } from "../../stored-row.ts";
import { type ItemRow, isRedriven, waits } from "../items/item-row.ts";
import type { ItemId, ItemStore } from "../items/item-store.ts";
import { isAtWork, parseScoutRow, type ScoutRow } from "../scout-row.ts";
import type { ScoutStore } from "../scout-store.ts";
import { batchSize, dueItemsInTurn, dueKeys, isDue } from "./due-keys.ts";
import { nextPollAt } from "./schedule.ts";
import { syncHint } from "./sync-hint.ts";

/** An item queued again is looked at by the next tick only if the queue lost it in the meantime. */
const graceMs = 15 * 60_000;

export interface PollPorts {
  readonly ledger: Table;
  readonly scouts: ScoutStore;
  readonly sync: Queue<SyncMessage>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly log: Log;
}

/**
 * Queues a sync for every scout that is due, then moves its time on, unless the sync has done so already. In that order:
 * dying in between repeats a hint, which harms nothing.
 *
 * @returns how many were queued
 */
export async function pollDueScouts(ports: PollPorts): Promise<number> {
  const nowMs = ports.clock();
  const apart = new Apart();
  let queued = 0;
  for await (const keys of dueKeys(ports.ledger, "scout", nowMs)) {
    const stored = await ports.ledger.getMany(keys.map(({ pk, sk }) => ({ pk, sk })));
    const rows = readableRows(stored, parseScoutRow, ports.log, "poll");
    const due = rows.filter((row) => isDue("scout", row.dueAt, nowMs) && !isOwnSchedule(row, nowMs));
    await apart.bySource(due, async (some) => {
      await ports.sync.send(some.map((row) => syncHint(row, "poll", ports.newId())));
      await Promise.all(some.map((row) => moveOn(ports.scouts, row, nowMs)));
      queued += some.length;
    });
  }
  apart.end();
  return queued;
}

/** Kinds of sources have queues of their own: one that takes nothing keeps the others' work from nobody. */
class Apart {
  readonly #failures: unknown[] = [];

  async bySource<R extends { readonly sourceType: string }>(
    rows: readonly R[],
    work: (some: readonly R[]) => Promise<void>,
  ): Promise<void> {
    for (const some of Map.groupBy(rows, ({ sourceType }) => sourceType).values()) {
      await work(some).catch((error: unknown) => this.#failures.push(error));
    }
  }

  /** @throws what came first: the run has failed all the same, and is made again */
  end(): void {
    if (this.#failures.length > 0) throw this.#failures[0];
  }
}

/** Once a year, say: a person's own schedule may lie as far ahead as it likes. */
const isOwnSchedule = ({ schedule, dueAt = 0 }: ScoutRow, nowMs: number): boolean =>
  schedule !== undefined && dueAt > nowMs && dueAt <= nextPollAt(schedule, nowMs);

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
  readonly breaker: { tick(): Promise<BreakerRow> };
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Queues items that are due again: failed, deferred and redriven ones. While the model cannot be asked none is: they wait
 * as they are. After that a tick queues a bounded number, everybody's in turn, until all that waited is worked off.
 */
export async function requeueDueItems(ports: DuePorts): Promise<{ queued: number; held: number }> {
  const breaker = await ports.breaker.tick();
  if (openOf(breaker)) return { queued: 0, held: 1 };
  const nowMs = ports.clock();
  const allowed = requeuesAllowed(breaker, nowMs);
  const apart = new Apart();
  let queued = 0;
  const waiting = await dueItemsInTurn(ports.ledger, nowMs);
  for (let at = 0; at < waiting.length && queued < allowed; at += batchSize) {
    const keys = waiting.slice(at, at + batchSize);
    const found = await ports.items.getEach(readableRows(keys, itemIdOf, ports.log, "due"));
    for (const { error } of found.damaged) tellDamage(error, ports.log, "due");
    const wanted = found.rows.filter((row) => isWanted(row, nowMs)).slice(0, allowed - queued);
    await apart.bySource(wanted, async (some) => {
      const messages = some.map(({ userId: user, scoutId: scout, ref, sourceType }, index): Outgoing<TriageMessage> => {
        const delaySeconds = requeueDelaySeconds(queued + index, allowed);
        return { body: { v: 1, userId: user, scoutId: scout, ref }, group: user, source: sourceType, delaySeconds };
      });
      await ports.triage.send(messages);
      await Promise.all(some.map((row) => ports.items.requeued(row, nowMs + graceMs)));
      queued += some.length;
    });
  }
  apart.end();
  return { queued, held: 0 };
}

function isWanted(row: ItemRow, nowMs: number): boolean {
  return isDue("item", row.dueAt, nowMs) && (waits(row) || isRedriven(row));
}

/** The item an entry of an index leads to. @throws row_damaged */
export function itemIdOf(entry: Key): ItemId {
  return storedRow(entry, (key) => {
    const { userId: user, scoutId: scout, ref } = splitItemKey(key);
    return { userId: userId.parse(user), scoutId: scoutId.parse(scout), ref: itemRef.parse(ref) };
  });
}
