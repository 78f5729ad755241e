import { readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { DeviceError } from "../errors.ts";

/** In order; the version of a database is how many of these it has been through. Never edit one that was released. */
const migrationFiles = ["0001-proposals.sql", "0002-projects.sql", "0003-folder-snapshots.sql"] as const;

/** The version this program writes. */
export const currentVersion: number = migrationFiles.length;

function versionOf(connection: DatabaseSync): number {
  return Number(connection.prepare("PRAGMA user_version").get()?.["user_version"] ?? 0);
}

function migrationSql(version: number): string {
  return readFileSync(new URL(`./migrations/${migrationFiles[version - 1]}`, import.meta.url), "utf8");
}

/**
 * Brings a database to `target`. Each step and its version number are one transaction that takes the write lock first,
 * so two processes that open an old database at once migrate it once.
 *
 * @throws DeviceError `store_newer` when the database is ahead of this program.
 */
export function migrate(connection: DatabaseSync, target: number = currentVersion): void {
  const found = versionOf(connection);
  if (found > currentVersion) throw new DeviceError("store_newer", { data: { found, known: currentVersion } });
  if (found >= target) return;
  connection.exec("BEGIN IMMEDIATE");
  try {
    for (let version = versionOf(connection) + 1; version <= target; version++) {
      connection.exec(migrationSql(version));
      connection.exec(`PRAGMA user_version = ${version}`);
    }
    connection.exec("COMMIT");
  } catch (error) {
    if (connection.isTransaction) connection.exec("ROLLBACK");
    throw error;
  }
}
