import { closeSync, existsSync, openSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { makePrivateFolder } from "../private-folder.ts";
import { storeCall } from "./sqlite/sqlite-errors.ts";

/** Primary result code SQLITE_BUSY: somebody holds the lock (https://sqlite.org/rescode.html#busy). */
const sqliteBusy = 5;
/** How often who waits for a lock asks for it: those who hold one need milliseconds. */
const askEveryMs = 20;

/**
 * Locks that end with the process that holds them, however it ends. A process id cannot say who lives: ids are used again,
 * at once in a container.
 */
export interface HeldLocks {
  /**
   * Takes a lock under a name that was never used before; the returned function gives it back.
   *
   * @throws DeviceError `store_full`, `store_unreadable`
   */
  hold(name: string): () => void;
  /** Whether a living process, this one included, holds it. */
  isHeld(name: string): boolean;
}

/**
 * Takes a lock of the kernel's on a file that is made when needed, and gives it back with the returned function, or with the
 * end of this process. `BEGIN IMMEDIATE` takes RESERVED, in one step: of several takers exactly one has it.
 *
 * @returns undefined while another holds it, this process included
 * @throws DeviceError `store_full`, `store_unreadable`
 */
export function takeFileLock(path: string): (() => void) | undefined {
  // Only where there is none: closing any descriptor of a file gives back all of a process's locks on it (fcntl(2)).
  if (!existsSync(path)) closeSync(openSync(path, "a", 0o600));
  const connection = storeCall(() => new DatabaseSync(path, { timeout: 0 }));
  try {
    connection.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
    return () => connection.close();
  } catch (error) {
    connection.close();
    if (isBusy(error)) return undefined;
    return storeCall(() => {
      throw error;
    });
  }
}

/**
 * Takes the lock of a file as {@link takeFileLock} does, as soon as nobody else holds it.
 *
 * @returns undefined when another has held it all the time
 * @throws DeviceError `store_full`, `store_unreadable`
 */
export async function waitForFileLock(path: string, maxWaitMs: number): Promise<(() => void) | undefined> {
  const giveUpAt = performance.now() + maxWaitMs;
  let release = takeFileLock(path);
  while (release === undefined && performance.now() < giveUpAt) {
    await sleep(askEveryMs);
    release = takeFileLock(path);
  }
  return release;
}

const isBusy = (error: unknown) =>
  error instanceof Error &&
  "errcode" in error &&
  typeof error.errcode === "number" &&
  (error.errcode & 0xff) === sqliteBusy;

/**
 * Locks as files that SQLite keeps locked by the kernel (https://sqlite.org/lockingv3.html, EXCLUSIVE): no other way to
 * lock a file is within reach of Node on every system.
 *
 * @param folder made when needed; on a disk of this machine
 */
export function fileLocks(folder: string): HeldLocks {
  const pathOf = (name: string) => join(folder, `${name}.lock`);
  return {
    hold(name) {
      const path = pathOf(name);
      makePrivateFolder(dirname(path));
      const connection = storeCall(() => new DatabaseSync(path));
      const release = () => {
        if (connection.isOpen) connection.close();
        rmSync(path, { force: true });
      };
      try {
        // Nothing is ever written, so there is no journal to leave behind.
        storeCall(() => connection.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE"));
      } catch (error) {
        release();
        throw error;
      }
      return release;
    },
    isHeld(name) {
      const path = pathOf(name);
      if (!existsSync(path)) return false;
      if (isLocked(path)) return true;
      rmSync(path, { force: true });
      return false;
    },
  };
}

function isLocked(path: string): boolean {
  let connection: DatabaseSync | undefined;
  try {
    connection = new DatabaseSync(path, { readOnly: true });
    connection.prepare("SELECT COUNT(*) FROM sqlite_schema").get();
    return false;
  } catch (error) {
    if (!(error instanceof Error) || !("errcode" in error) || typeof error.errcode !== "number") throw error;
    // Any other failure: the file has just been given back and removed.
    return (error.errcode & 0xff) === sqliteBusy;
  } finally {
    connection?.close();
  }
}
