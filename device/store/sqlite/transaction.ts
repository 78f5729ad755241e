import type { DatabaseSync } from "node:sqlite";
import { storeCall } from "./sqlite-errors.ts";

export type Behavior = "deferred" | "immediate" | "exclusive";

/**
 * Has what `work` commits survive the end of the process, and not wait for the disk: a power cut may take it, with nothing that
 * was committed before it (https://sqlite.org/pragma.html#pragma_synchronous, NORMAL in WAL mode). The next commit outside is
 * synced with all before it. Inside another transaction it is that one's affair.
 */
export function unsynced<T>(connection: DatabaseSync, work: () => T): T {
  if (connection.isTransaction) return work();
  storeCall(() => connection.exec("PRAGMA synchronous = NORMAL"));
  try {
    return work();
  } finally {
    connection.exec("PRAGMA synchronous = FULL");
  }
}

/**
 * Runs `work` in a transaction of its own: all of it is committed, or nothing.
 *
 * @param behavior when the locks are taken (https://sqlite.org/lang_transaction.html)
 * @throws DeviceError where SQLite refuses to begin or to commit; what `work` throws, as it is
 */
export function inTransaction<T>(connection: DatabaseSync, behavior: Behavior, work: () => T): T {
  storeCall(() => connection.exec(`BEGIN ${behavior}`));
  try {
    const result = work();
    storeCall(() => connection.exec("COMMIT"));
    return result;
  } catch (error) {
    // SQLite has already rolled back after some errors (disk full, I/O).
    if (connection.isTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}
