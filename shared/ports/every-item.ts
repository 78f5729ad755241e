import type { Item, Query, Table } from "./table.ts";

/**
 * All that a query finds, page after page: a page ends at a megabyte as well, whatever was asked for
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.Pagination.html). For what is known to be no more than a
 * function can hold.
 */
export async function everyItem(table: Table, query: Omit<Query, "start" | "limit">): Promise<Item[]> {
  const found: Item[] = [];
  let start: Item | undefined;
  do {
    const page = await table.query({ ...query, ...(start ? { start } : {}) });
    found.push(...page.items);
    start = page.next;
  } while (start);
  return found;
}
