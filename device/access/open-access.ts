import { createHash } from "node:crypto";
import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { notWritable, orUnusable } from "../or-unusable.ts";
import { makePrivateFolder } from "../private-folder.ts";
import { type Migrations, migrate } from "../store/sqlite/migrate.ts";
import { namedStoreCall, storeCall } from "../store/sqlite/sqlite-errors.ts";
import type { WriteLease } from "./changes/write-lease.ts";
import type { AccessStore } from "./store/access-store.ts";
import { fileLease } from "./store/lease.ts";
import { sqliteAccessStore } from "./store/sqlite-access-store.ts";

/** The database of file access, one for each project. */
export const accessMigrations: Migrations = {
  folder: new URL("./store/migrations/", import.meta.url),
  files: ["0001-access.sql", "0002-no-lease.sql"],
};
const busyTimeoutMs = 5_000;

/** The device's half of file access for one project: its own database, which can be thrown away without losing proposals. */
export interface ProjectDatabase {
  readonly path: string;
  readonly store: AccessStore;
  readonly lease: WriteLease;
  /** Another number after another connection has written. */
  foreignVersion(): number;
  close(): void;
}

/** One database for each project, named by the hash of its root: names of projects are content. */
export function accessPath(dataFolder: string, projectRoot: string): string {
  const name = createHash("sha256").update(projectRoot).digest("hex").slice(0, 24);
  return join(dataFolder, "device", "access", `${name}.sqlite`);
}

/** Beside the database: whoever has it locked may change the project. */
export const leasePath = (databasePath: string): string => databasePath.replace(/\.sqlite$/, ".lease");

/**
 * Opens, and if need be makes or migrates, the database of a project.
 *
 * @param projectRoot what the folder is known by (`placeOf`)
 * @throws DeviceError `folder_unusable`, `store_unreadable`, `store_newer`, `store_busy`, `store_full`
 */
export function openProjectDatabase(dataFolder: string, projectRoot: string): ProjectDatabase {
  const path = accessPath(dataFolder, projectRoot);
  prepareFile(dataFolder, path);
  return namedStoreCall(unsound(path), () => {
    const connection = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
    try {
      // FULL: the journal must be on disk before the first file of a change is written.
      connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
      migrate(connection, accessMigrations);
      const version = connection.prepare("PRAGMA data_version");
      return {
        path,
        store: sqliteAccessStore(connection),
        lease: fileLease(leasePath(path)),
        foreignVersion: () => storeCall(() => Number(version.get()?.["data_version"] ?? 0)),
        close: () => connection.close(),
      };
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

/**
 * Gives a folder the history and the trail of another that was moved to where it is, unless it has its own. What is kept of the other
 * stays: who goes back there finds it.
 *
 * @param from @param to what the folders are known by (`lastPlaceOf`)
 * @throws DeviceError `store_unreadable`, `store_busy`, `store_full`: then the folder has none
 */
export function carryHistory(dataFolder: string, from: string, to: string): void {
  const [source, target] = [accessPath(dataFolder, from), accessPath(dataFolder, to)];
  if (!existsSync(source) || existsSync(target)) return;
  const draft = `${target}.${process.pid}`;
  rmSync(draft, { force: true });
  prepareFile(dataFolder, draft);
  try {
    namedStoreCall(unsound(source), () => copyDatabase(source, draft));
    renameSync(draft, target);
  } catch (error) {
    // Half a copy is of no use, and on a full disk in the way.
    rmSync(draft, { force: true });
    throw error;
  }
}

function copyDatabase(source: string, copy: string): void {
  const connection = new DatabaseSync(source, { timeout: busyTimeoutMs });
  try {
    // What others have not written into the file itself yet comes along (https://sqlite.org/lang_vacuum.html#vacuuminto).
    connection.prepare("VACUUM INTO ?").run(copy);
  } finally {
    connection.close();
  }
}

const unsound = (path: string): string =>
  `${path} is damaged. Restore it, or move it away: the history and the audit trail it holds begin anew, the files themselves stay.`;

/** Whether anything is kept for a project yet. */
export const hasProjectDatabase = (dataFolder: string, projectRoot: string): boolean =>
  existsSync(accessPath(dataFolder, projectRoot));

function prepareFile(dataFolder: string, path: string): void {
  orUnusable(dataFolder, notWritable(dataFolder), () => {
    for (const folder of [dirname(dirname(path)), dirname(path)]) {
      makePrivateFolder(folder);
      chmodSync(folder, 0o700);
    }
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  });
}
