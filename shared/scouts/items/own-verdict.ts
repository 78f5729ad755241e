import type { Key, Table } from "../../ports/table.ts";
import { type ItemRow, parseItemRow } from "./item-row.ts";

/**
 * What became of a verdict that was not written, it seems: the store's client repeats requests whose answer it misses, and the repetition
 * finds what the first of them wrote. That is told by the reservation and the moment: nobody else's has both.
 *
 * @returns the row, or `false` when another verdict stands
 */
export async function ownVerdict(
  ledger: Table,
  key: Key,
  written: Pick<ItemRow, "reservation" | "triagedAt">,
): Promise<ItemRow | false> {
  const { reservation, triagedAt } = written;
  const item = reservation === undefined ? undefined : await ledger.get(key);
  const row = item && parseItemRow(item);
  return row !== undefined && row.reservation === reservation && row.triagedAt === triagedAt ? row : false;
}
