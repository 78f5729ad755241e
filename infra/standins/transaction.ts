import type { DatabaseSync } from "node:sqlite";

/** Runs `work` in one transaction, or in the one that is under way: all of it is committed, or nothing. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  if (database.isTransaction) return work();
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    // SQLite has already rolled back after some errors (disk full, I/O).
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
