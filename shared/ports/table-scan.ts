import type { Item, Page } from "./table.ts";

/**
 * Everything in a table, page by page, in no order. For operators' work only: no function may scan. Rows written while
 * a scan runs may or may not be among what it gives.
 */
export interface TableScan {
  /** @param start the `next` of a page */
  scan(start?: Item): Promise<Page>;
}
