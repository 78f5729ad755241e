import type { DatabaseSync, SQLInputValue, StatementResultingChanges } from "node:sqlite";
import { BetterSQLiteSession } from "drizzle-orm/better-sqlite3/session";
import { BaseSQLiteDatabase, SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import { PreparedStatements } from "./prepared-statements.ts";
import { storeCall } from "./sqlite-errors.ts";
import { type Behavior, inTransaction } from "./transaction.ts";

/** Drizzle over node:sqlite. Synchronous: a transaction cannot be interleaved with another task's statements. */
export type Database = BaseSQLiteDatabase<"sync", StatementResultingChanges>;

/** What only reads; Drizzle begins a write otherwise, and ends it with RETURNING where its row is wanted. */
const isSelect = /^\s*select\b/i;

/**
 * The part of better-sqlite3's interface that Drizzle's session for it uses, on top of node:sqlite
 * (docs/decisions/0020-sqlite-without-a-native-driver.md).
 */
function sessionClient(connection: DatabaseSync) {
  const statements = new PreparedStatements(connection);

  const reader = (sql: string, asArrays: boolean) => ({
    all: (...values: SQLInputValue[]) =>
      storeCall(() => {
        const read = statements.get(sql);
        read.setReturnArrays(asArrays);
        return read.all(...values);
      }),
    get: (...values: SQLInputValue[]) =>
      storeCall(() => {
        const read = statements.get(sql);
        read.setReturnArrays(asArrays);
        // The first row of what writes comes before it is committed, and node:sqlite does not tell when that fails afterwards (a full
        // disk, say): all of its rows are asked for, behind which the commit is.
        return isSelect.test(sql) ? read.get(...values) : read.all(...values)[0];
      }),
  });

  const transaction = <Tx, T>(work: (tx: Tx) => T) => {
    const runAs = (behavior: Behavior) => (tx: Tx) => inTransaction(connection, behavior, () => work(tx));
    return { deferred: runAs("deferred"), immediate: runAs("immediate"), exclusive: runAs("exclusive") };
  };

  return {
    prepare: (sql: string) => ({
      run: (...values: SQLInputValue[]) => storeCall(() => statements.get(sql).run(...values)),
      ...reader(sql, false),
      raw: () => reader(sql, true),
    }),
    transaction,
  };
}

/** Puts Drizzle on an open connection. */
export function drizzleOn(connection: DatabaseSync): Database {
  const dialect = new SQLiteSyncDialect();
  return new BaseSQLiteDatabase(
    "sync",
    dialect,
    new BetterSQLiteSession(sessionClient(connection), dialect, undefined),
    undefined,
  );
}
