import { asc, gt, lte, sql } from "drizzle-orm";
import { type SearchChange, searchChanges } from "../schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** What the search index has still to look at. Rows are added by the database itself. */
export interface SearchChangeTable {
  /** Those after a number, oldest first. */
  after(number: number, limit: number): SearchChange[];
  /** The number of the latest there has been; 0 before the first. */
  latest(): number;
  /** The index has looked at those up to a number. */
  forget(upTo: number): void;
}

/** The table over a database. Its rows are written by triggers; the numbers only grow, also when rows are forgotten. */
export function searchChangeTable(db: Database): SearchChangeTable {
  const { number } = searchChanges;
  return {
    after: (wanted, limit) =>
      db.select().from(searchChanges).where(gt(number, wanted)).orderBy(asc(number)).limit(limit).all(),
    latest: () =>
      db.get<{ seq: number } | undefined>(sql`SELECT seq FROM sqlite_sequence WHERE name = 'search_changes'`)?.seq ?? 0,
    forget: (upTo) => void db.delete(searchChanges).where(lte(number, upTo)).run(),
  };
}
