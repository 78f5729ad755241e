import { chmodSync, closeSync, existsSync, openSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { DeviceError, isDeviceError } from "../errors.ts";
import { notWritable, orUnusable } from "../or-unusable.ts";
import { makePrivateFolder } from "../private-folder.ts";
import { upOn } from "../shell-words.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import { Vault } from "../vault/vault.ts";
import { settleAbandonedScans } from "./abandoned-scans.ts";
import { deviceMigrations } from "./device-migrations.ts";
import { fileLocks, type HeldLocks } from "./held-locks.ts";
import { addHoldsWords } from "./sqlite/folded-text.ts";
import { migrate } from "./sqlite/migrate.ts";
import { namedStoreCall, storeCall } from "./sqlite/sqlite-errors.ts";
import { keepSums, tableOfOtherRows } from "./sqlite/table-sums.ts";
import { type DeviceTables, tablesOn } from "./tables/tables.ts";

/** Longest wait for another process's write transaction; ours take milliseconds. */
const busyTimeoutMs = 5_000;

/** Everything a device keeps, in one SQLite file that several processes may open at once. All calls are synchronous. */
export interface DeviceStore extends DeviceTables {
  readonly path: string;
  /** The folder it was opened in. */
  readonly dataFolder: string;
  /** There was a database here, and it was gone: what only that held is not in this one. */
  readonly isMadeAnew: boolean;
  /** There was no room to open it as usual, so it is open for reading, and for nobody else meanwhile: what is written is refused. */
  readonly isDiskFull: boolean;
  /** Who scans, alive: named by the scan's holder. */
  readonly scanLocks: HeldLocks;
  /** What answers and artifacts are encrypted by, once the person has set a passphrase. */
  readonly vault: Vault;
  /** Whether what was removed or overwritten has left every byte; false when another program was reading. */
  purge(): boolean;
  /** The ids of its rows, and of what they name: see {@link TimeAndIds}. */
  readonly newId: () => string;
  /** Changes whenever another process has written, and only then: a cheap way to notice. */
  foreignVersion(): number;
  /** What is wrong with the file, if anything: what SQLite finds in its structure, or a table whose rows are others. */
  damage(): string | undefined;
  close(): void;
}

export interface OpenOptions extends TimeAndIds {
  /** The data folder; the database is `device/device.sqlite` in it. */
  readonly dataFolder: string;
  /** Fail with `store_missing` instead of making a new database. */
  readonly mustExist?: boolean;
  /** On a full disk, open it all the same: for a program that ends soon, since no other can open it meanwhile. */
  readonly readsWhenFull?: boolean;
  /** As the person gave it to this program; without it what is encrypted stays closed. */
  readonly passphrase?: string | undefined;
}

/** Where a data folder has its database, whether it is there or not. */
export function storePath(dataFolder: string): string {
  return join(dataFolder, "device", "device.sqlite");
}

/** Beside a database from when it was made: one that is gone, or has become empty, is not taken for one that never was. */
const markOf = (path: string): string => `${path}.made`;

/** Makes folder and file for their owner alone before SQLite opens them: what it adds (-wal, -shm) takes the file's mode. */
function prepareFile(path: string): void {
  const folder = dirname(path);
  orUnusable(folder, notWritable(folder), () => {
    makePrivateFolder(folder);
    chmodSync(folder, 0o700);
  });
  orUnusable(path, notOurs(path), () => {
    closeSync(openSync(path, "a", 0o600));
    chmodSync(path, 0o600);
  });
}

const notOurs = (path: string) =>
  `${path} is not this user's to read and write. See whose it is (\`ls -l\`) and give it back (\`chown\`, \`chmod\`).`;

/** @param isAlone keep the index of the log in memory and not in a file beside (https://sqlite.org/wal.html, "Without Shared-Memory") */
function connect(path: string, isAlone = false): DatabaseSync {
  const connection = new DatabaseSync(path, { timeout: busyTimeoutMs, enableForeignKeyConstraints: true });
  // FULL: a decision the cloud has accepted must not be undone here by a power cut; NORMAL may lose the last commits in
  // WAL mode (https://sqlite.org/pragma.html#pragma_synchronous).
  try {
    if (isAlone) connection.exec("PRAGMA locking_mode = EXCLUSIVE");
    connection.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    addHoldsWords(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function connectIfFull(path: string, readsWhenFull: boolean): { connection: DatabaseSync; isDiskFull: boolean } {
  try {
    return { connection: storeCall(() => connect(path)), isDiskFull: false };
  } catch (error) {
    if (!readsWhenFull || !isDeviceError(error, "store_full")) throw error;
    return { connection: connect(path, true), isDiskFull: true };
  }
}

/** Where there is no room to say that a scan was abandoned, it is said by who opens the database next. */
function settleIfRoom(store: Parameters<typeof settleAbandonedScans>[0], nowMs: number): void {
  try {
    settleAbandonedScans(store, nowMs);
  } catch (error) {
    if (!isDeviceError(error, "store_full")) throw error;
  }
}

/**
 * Opens, and if need be makes or migrates, the device's database.
 *
 * @throws DeviceError `store_missing`, `store_unreadable`, `store_newer`, `store_busy`, `store_full`, `folder_unusable`.
 */
export function openDeviceStore({
  dataFolder,
  mustExist = false,
  readsWhenFull = false,
  passphrase,
  ...timeAndIds
}: OpenOptions): DeviceStore {
  const path = storePath(dataFolder);
  const wasMade = existsSync(markOf(path));
  // Of a folder that is closed to this user nobody can say that there is nothing in it.
  const folder = dirname(path);
  const found = orUnusable(folder, notOurs(folder), () => statSync(path, { throwIfNoEntry: false }));
  const isThere = found !== undefined;
  if (mustExist && !isThere) throw missing(dataFolder, wasMade);
  if (wasMade && isThere && statSync(path).size === 0) {
    throw new DeviceError("store_unreadable", { sentence: unsound(path, "it is empty") });
  }
  prepareFile(path);
  return namedStoreCall(unsound(path), () => {
    const { connection, isDiskFull } = connectIfFull(path, readsWhenFull);
    try {
      migrate(connection, deviceMigrations);
      keepSums(connection);
      if (!wasMade) writeFileSync(markOf(path), "", { mode: 0o600 });
      const isMadeAnew = wasMade && !isThere;
      const vault = new Vault(dataFolder, passphrase);
      const store = { ...storeOn(connection, vault, dataFolder, timeAndIds), isMadeAnew, isDiskFull };
      if (!isDiskFull) settleIfRoom(store, timeAndIds.now());
      return store;
    } catch (error) {
      connection.close();
      throw error;
    }
  });
}

/** What a person is told of a database that cannot be used. */
export const unsound = (path: string, found?: string): string =>
  `${path} is damaged${found === undefined ? "" : ` (${found})`}. Restore it from a backup, or move it away: ` +
  "what is still open is delivered again, decisions and folders of this device are gone.";

/** What a person is told of a data folder that no device has used yet. */
export const noDataYet = (dataFolder: string): string =>
  `There is no device data in ${dataFolder} yet; run \`${upOn(dataFolder)}\` first.`;

const missing = (dataFolder: string, wasMade: boolean): DeviceError =>
  new DeviceError("store_missing", {
    sentence: wasMade
      ? `${storePath(dataFolder)} is gone. Restore it from a backup; \`${upOn(dataFolder)}\` makes it anew, without what only it held.`
      : noDataYet(dataFolder),
  });

/** What a person is told whose database was made anew. */
export const madeAnew = (path: string): string =>
  `${path} was gone and is made anew: what is still open is delivered again, decisions, work and projects of this device are ` +
  "gone. If you have a backup of it, stop this program and restore it.";

function storeOn(
  connection: DatabaseSync,
  vault: Vault,
  dataFolder: string,
  timeAndIds: TimeAndIds,
): Omit<DeviceStore, "isMadeAnew" | "isDiskFull"> {
  const dataVersion = connection.prepare("PRAGMA data_version");
  return {
    path: storePath(dataFolder),
    dataFolder,
    scanLocks: fileLocks(join(dataFolder, "device", "scans")),
    vault,
    ...tablesOn(connection, timeAndIds, vault),
    newId: timeAndIds.newId,
    foreignVersion: () => storeCall(() => Number(dataVersion.get()?.["data_version"] ?? 0)),
    purge() {
      // Rows that were overwritten, and those that were removed before anything was encrypted, leave with the free pages.
      storeCall(() => connection.exec("VACUUM"));
      return storeCall(() => connection.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.["busy"]) === 0;
    },
    damage() {
      const found = storeCall(() => connection.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"]);
      if (found !== "ok") return String(found);
      const table = storeCall(() => tableOfOtherRows(connection));
      return table === undefined ? undefined : `the rows of ${table} are not those that were written`;
    },
    close: () => connection.close(),
  };
}
