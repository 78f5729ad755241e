import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { DeviceError } from "../../errors.ts";
import { inTransaction } from "./transaction.ts";

/** The schema of a kind of database, step by step. */
export interface Migrations {
  readonly folder: URL;
  /** In order; the version of a database is how many of these it has been through. Never edit one that was released. */
  readonly files: readonly string[];
  /** What all of these lead to, for a new database: some thirty tables and triggers in one step, which takes a third of the time. */
  readonly whole?: URL;
}

function versionOf(connection: DatabaseSync): number {
  return Number(connection.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

/**
 * Brings a database to `target`. Each step and its version number are one transaction that takes the write lock first,
 * so two processes that open an old database at once migrate it once.
 *
 * @param target the version this program writes, unless a test wants an older one
 * @throws DeviceError `store_newer` when the database is ahead of this program.
 */
export function migrate(
  connection: DatabaseSync,
  { folder, files, whole }: Migrations,
  target: number = files.length,
): void {
  const found = versionOf(connection);
  if (found > files.length) throw new DeviceError("store_newer", { data: { found, known: files.length } });
  if (found >= target) return;
  inTransaction(connection, "immediate", () => {
    if (whole !== undefined && target === files.length && versionOf(connection) === 0) {
      connection.exec(`${readFileSync(whole, "utf8")}PRAGMA user_version = ${target}`);
      return;
    }
    for (const [index, file] of files.slice(0, target).entries()) {
      if (index < versionOf(connection)) continue;
      connection.exec(readFileSync(new URL(file, folder), "utf8"));
      connection.exec(`PRAGMA user_version = ${index + 1}`);
    }
  });
}
