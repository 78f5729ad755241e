import { usageFarthestMs } from "../../billing/usage-row.ts";
import { ledgerIndex, type ShardKind, shardsOf } from "../../keys.ts";
import type { Item, Table } from "../../ports/table.ts";
import { isStrayCheckDue } from "../../until.ts";

const dayMs = 86_400_000;
/**
 * Items wait until the next month begins at the longest (a spent allowance), scouts for a day that their source asks for,
 * but for a schedule of their person's own. What lies further ahead was written by a clock that has stepped back since; it
 * is looked for once an hour, in the first of its ticks.
 */
const farthestMs = { item: 32 * dayMs, scout: dayMs + 3_600_000, usage: usageFarthestMs } as const;

const farthestOf = (kind: ShardKind) => (kind === "scout" || kind === "usage" ? farthestMs[kind] : farthestMs.item);

/** Whether a row's time has come, or can never have been meant. */
export const isDue = (kind: "item" | "scout", dueAt: number | undefined, nowMs: number): boolean =>
  dueAt !== undefined && (dueAt <= nowMs || dueAt > nowMs + farthestMs[kind]);

/** As many as a batch read takes. */
export const batchSize = 100;

/**
 * Index entries whose time has come, or can never have been meant, page by page, over all shards.
 *
 * @param aheadMs those whose time comes within that, as well
 */
export async function* dueKeys(
  ledger: Table,
  kind: ShardKind,
  nowMs: number,
  aheadMs = 0,
): AsyncGenerator<readonly Item[]> {
  for (const hash of shardsOf(kind)) yield* entriesOf(ledger, kind, hash, { nowMs, aheadMs, pageSize: batchSize });
}

interface Reading {
  readonly nowMs: number;
  readonly aheadMs: number;
  readonly pageSize: number;
}

async function* entriesOf(ledger: Table, kind: ShardKind, hash: string, { nowMs, aheadMs, pageSize: limit }: Reading) {
  yield* entries(ledger, hash, limit, { to: nowMs + aheadMs });
  if (isStrayCheckDue(nowMs)) yield* entries(ledger, hash, limit, { from: nowMs + farthestOf(kind) });
}

async function* entries(
  ledger: Table,
  hash: string,
  limit: number,
  range: { readonly from?: number; readonly to?: number },
) {
  let start: Item | undefined;
  do {
    const page = await ledger.query({
      index: ledgerIndex.due,
      hash,
      ...range,
      limit,
      ...(start ? { start } : {}),
    });
    yield page.items;
    start = page.next;
  } while (start);
}

/** Entries are read so many at a time where most are only counted: some 150 KB. */
const widePageSize = 1_000;
/** So many are read at most: some 15 MB, a few seconds of a tick. */
const mostRead = 100_000;

/**
 * Keys of due items, everybody's in turn and each person's oldest first: somebody's hundred thousand are no reason for others to
 * wait. The index is by time and knows no people, so all that is due is read, up to a hundred thousand entries, the oldest of
 * every shard. Each key comes once, though its time may move while they are read.
 */
export async function dueItemsInTurn(ledger: Table, nowMs: number): Promise<readonly Item[]> {
  const found = new Map<string, Item>();
  const reading = { nowMs, aheadMs: 0, pageSize: widePageSize };
  let shards = shardsOf("item").map((hash) => entriesOf(ledger, "item", hash, reading));
  for (let read = 0; shards.length > 0 && read < mostRead; ) {
    const pages = await Promise.all(shards.map((shard) => shard.next()));
    shards = shards.filter((_, at) => !pages[at]?.done);
    const entries = pages.flatMap(({ value }) => value ?? []);
    read += entries.length;
    for (const entry of entries) found.set(`${entry.pk}#${entry.sk}`, entry);
  }
  const people = Map.groupBy(found.values(), ({ pk }) => pk);
  const turns = [...people.values()].flatMap((own) => own.sort(byDueAt).map((entry, turn) => ({ entry, turn })));
  return turns.sort((a, b) => a.turn - b.turn || byDueAt(a.entry, b.entry)).map(({ entry }) => entry);
}

function byDueAt(a: Item, b: Item): number {
  return Number(a["dueAt"]) - Number(b["dueAt"]);
}
