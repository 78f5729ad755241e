import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { ShownItem, ShownItemStatus } from "../../../events/http/items.ts";
import type { ItemRef, ScoutId, UserId } from "../../../events/ids.ts";
import { ledgerKey, ledgerPrefix } from "../../keys.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Table } from "../../ports/table.ts";
import { type ItemRow, isRedriven, isUnjudged, shownRow, waits } from "./item-row.ts";
import { UnjudgedStore } from "./unjudged-store.ts";

/** Rows one request looks at: about half a megabyte, which is a hundred read units. */
const mostRows = 1_000;
const rowsAtOnce = 100;
/** How long an item that was queued again is left alone: see due.ts. */
const onQueueMs = 15 * 60_000;

export interface ItemsWithoutVerdictPorts {
  readonly ledger: Table;
  readonly clock: Clock;
}

/** Where to look. */
export interface ItemsAfter {
  readonly userId: UserId;
  /** Only this scout's. */
  readonly scoutId?: ScoutId | undefined;
  /** The `last` of the page before. */
  readonly after?: string | undefined;
}

/** How an item without a verdict is shown; `undefined` when it has one, was decided, or is gone. */
function statusOf(row: ItemRow): ShownItemStatus | undefined {
  if (isUnjudged(row)) return "unjudged";
  const { status } = row;
  return status === "dead" || status === "deferred" || status === "failed" ? status : undefined;
}

/** Whether a text can be a `last` of these pages. */
export function isPlace({ scoutId }: Pick<ItemsAfter, "scoutId">, after: string): boolean {
  return after.startsWith(prefixOf(scoutId));
}

/**
 * Items without a verdict, by scout and ref, and damaged rows with the code that says so. They have no index of their own, since hardly any item comes to be one, so a
 * page ends after so many rows as well, and may hold nothing although more follow.
 */
export async function listItems(
  { ledger }: Pick<ItemsWithoutVerdictPorts, "ledger">,
  within: ItemsAfter,
  { status, limit }: { readonly status?: ShownItemStatus | undefined; readonly limit: number },
): Promise<{ items: readonly ShownItem[]; last?: string }> {
  const { rows, last } = await read(ledger, within, limit, (row) => {
    const shown = statusOf(row);
    return shown !== undefined && (status === undefined || shown === status);
  });
  const items = rows.flatMap((row) => shownOf(row));
  return last === undefined ? { items } : { items, last };
}

export interface Redriven {
  /** Are judged anew. */
  readonly redriven: number;
  /** Stay as they are: unknown, with a verdict, decided, or asked for before and not tried since. */
  readonly refused: number;
  readonly last?: string;
}

/**
 * Has items judged anew that were set aside or are shown without a verdict. What waits comes by itself and is left alone.
 *
 * @param code only those with this code
 */
export async function redriveAll(
  { ledger, clock }: ItemsWithoutVerdictPorts,
  within: ItemsAfter,
  code: ErrorCode | undefined,
): Promise<Redriven> {
  const { rows, last } = await read(
    ledger,
    within,
    rowsAtOnce,
    (row) => isGivenUp(row) && (code === undefined || row.code === code),
  );
  const done = await redrive({ ledger, clock }, rows);
  return { redriven: done, refused: rows.length - done, ...(last === undefined ? {} : { last }) };
}

/**
 * Has the items of these refs judged anew; one that waits is looked at now, unless it is on its way.
 *
 * @param scouts whose items are meant
 */
export async function redriveRefs(
  { ledger, clock }: ItemsWithoutVerdictPorts,
  userId: UserId,
  scouts: readonly ScoutId[],
  refs: readonly ItemRef[],
): Promise<Redriven> {
  const wanted = new Set(refs);
  const keys = scouts.flatMap((scout) => [...wanted].map((ref) => ledgerKey.item(userId, scout, ref)));
  const rows: ItemRow[] = [];
  for (let at = 0; at < keys.length; at += rowsAtOnce) {
    const found = await ledger.getMany(keys.slice(at, at + rowsAtOnce));
    rows.push(...found.map(shownRow));
  }
  const onItsWay = clock() + onQueueMs;
  const meant = rows.filter((row) => isGivenUp(row) || (waits(row) && (row.dueAt ?? 0) > onItsWay));
  const done = await redrive({ ledger, clock }, meant);
  const unmoved = rows.length - done;
  const unknown = [...wanted].filter((ref) => !rows.some((row) => row.ref === ref)).length;
  return { redriven: done, refused: unmoved + unknown };
}

function isGivenUp(row: ItemRow): boolean {
  return row.status === "dead" || (isUnjudged(row) && !isRedriven(row));
}

async function redrive({ ledger, clock }: ItemsWithoutVerdictPorts, rows: readonly ItemRow[]): Promise<number> {
  const store = new UnjudgedStore(ledger);
  const done = await Promise.all(rows.map((row) => store.redrive(row, clock())));
  return done.filter(Boolean).length;
}

/** Rows that are wanted, and where to go on; reads no more than {@link mostRows}. */
async function read(
  ledger: Table,
  { userId, scoutId, after }: ItemsAfter,
  limit: number,
  wanted: (row: ItemRow) => boolean,
): Promise<{ rows: readonly ItemRow[]; last?: string }> {
  const { pk } = ledgerKey.user(userId);
  const rows: ItemRow[] = [];
  let last = after;
  for (let seen = 0; seen < mostRows; seen += rowsAtOnce) {
    const start = last === undefined ? {} : { start: { pk, sk: last } };
    const page = await ledger.query({
      hash: pk,
      prefix: prefixOf(scoutId),
      limit: rowsAtOnce,
      consistent: true,
      ...start,
    });
    for (const [at, item] of page.items.entries()) {
      const row = shownRow(item);
      if (wanted(row)) rows.push(row);
      const isEnd = at === page.items.length - 1 && page.next === undefined;
      if (rows.length >= limit && !isEnd) return { rows, last: item.sk };
    }
    if (page.next === undefined) return { rows };
    last = page.next.sk;
  }
  return last === undefined ? { rows } : { rows, last };
}

function prefixOf(scoutId: ScoutId | undefined): string {
  return scoutId === undefined ? ledgerPrefix.items : ledgerPrefix.itemsOf(scoutId);
}

function shownOf(row: ItemRow): ShownItem[] {
  const status = statusOf(row);
  if (status === undefined) return [];
  const { scoutId, ref, code, attempts, changedAt, triagedAt, dueAt } = row;
  return [
    {
      ...{ scoutId, ref, status, attempts },
      code: code ?? null,
      since: changedAt ?? triagedAt ?? null,
      nextLookAt: status === "dead" ? null : (dueAt ?? null),
    },
  ];
}
