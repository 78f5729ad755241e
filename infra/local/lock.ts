import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { privateFolder } from "../standins/private-folder.ts";
import { replaceFile } from "../standins/replace-file.ts";
import { LocalHomeError } from "./errors.ts";
import { breakSeal, compareWithSeal, sealFolder } from "./seal.ts";

/** SQLite's primary codes (sqlite.org/rescode.html). */
const busyCode = 5;
const corruptCode = 11;
const notADatabaseCode = 26;

const holder = z.object({ pid: z.number(), command: z.string(), sinceMs: z.number() });

/**
 * Takes a folder for this process. The lock is the kernel's, on the bytes of a file that stays empty (`BEGIN IMMEDIATE`;
 * sqlite.org/lockingv3.html): of any number of starters exactly one has it, and it is gone with its process, however that
 * ends. A process id in a file can do neither: in a container the next start has the same one.
 *
 * Nobody may open `lock.kernel` by other means in this process: closing any descriptor of a file gives back all of a
 * process's locks on it (fcntl(2), "Advisory record locking").
 *
 * While nobody has the folder, its files are sealed (seal.ts): it is taken as its last holder left it, or not at all.
 *
 * @param command who holds it, for the one who comes second
 * @returns gives the folder back, when everything in it is closed; further calls do nothing
 * @throws LocalHomeError `data_in_use` with who, since when and what to do; `data_unusable` when it cannot be
 * written, or is not what it was
 */
export function lockData(folder: string, command: string, now: () => number = Date.now): () => void {
  const told = join(folder, "holder.json");
  const database = takeKernelLock(folder);
  if (database === undefined) throw new LocalHomeError("data_in_use", inUse(folder, readHolder(told)));
  try {
    requireOwn(folder);
    breakSeal(folder);
  } catch (error) {
    database.close();
    throw error;
  }
  try {
    tell(told, { pid: process.pid, command, sinceMs: now() });
    // What a version of scouts that named its process in a file has left.
    rmSync(join(folder, "lock"), { force: true });
  } catch (cause) {
    database.close();
    throw unusable(folder, cause);
  }
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    try {
      rmSync(told, { force: true });
      sealFolder(folder);
    } catch (error) {
      // A full disk, a folder that is gone: it is left as a killed process leaves it, without a seal.
      if (!(error instanceof Error)) throw error;
    } finally {
      database.close();
    }
  };
}

/**
 * What keeps the next home from taking a folder that nobody has: what {@link lockData} would refuse it for. Nothing is changed, and
 * the lock is not kept, so that a home can start meanwhile; then nothing is found.
 */
export function damageBetweenHomes(folder: string): LocalHomeError | undefined {
  try {
    if (!isFree(folder)) return undefined;
    const damage = damageIn(folder);
    // A home that has begun meanwhile changes its files while they are looked at.
    return damage !== undefined && isFree(folder) ? damage : undefined;
  } catch (error) {
    if (error instanceof LocalHomeError) return error;
    throw error;
  }
}

function damageIn(folder: string): LocalHomeError | undefined {
  try {
    requireOwn(folder);
    compareWithSeal(folder);
    return undefined;
  } catch (error) {
    if (error instanceof LocalHomeError) return error;
    throw error;
  }
}

/**
 * Every file and folder in it has to be this user's to read and write. One that is not, mostly after a start with `sudo` or a backup
 * that was restored by somebody else, would be met in the middle of a start, each in the words of whoever meets it.
 *
 * @throws LocalHomeError `data_unusable` naming the first that is not
 */
function requireOwn(folder: string): void {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isDirectory()) accessSync(path, R_OK | W_OK | X_OK);
      else if (entry.isFile()) accessSync(path, R_OK | W_OK);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && "path" in error)) throw error;
    if (error.code !== "EACCES" && error.code !== "EPERM") throw error;
    const cure =
      "See whose it is (`ls -l`) and give it back (`chown`, `chmod`), or give another data folder with --data.";
    const sentence = `${error.path} is not this user's to read and write. ${cure}`;
    throw new LocalHomeError("data_unusable", sentence, { cause: error });
  }
}

/** Whether a home has had the folder and none has it now. */
function isFree(folder: string): boolean {
  if (!existsSync(join(folder, "lock.kernel"))) return false;
  const database = takeKernelLock(folder);
  database?.close();
  return database !== undefined;
}

/**
 * RESERVED, not EXCLUSIVE: it is one step, while EXCLUSIVE waits until nobody reads.
 *
 *     EXCLUSIVE   A: SHARED              RESERVED  EXCLUSIVE ✗ (B reads)   A gives up
 *                 B:          SHARED                   RESERVED ✗ (A)      B gives up: nobody has it, both are told "in use"
 *     IMMEDIATE   A: SHARED              RESERVED ✓                        A has it
 *                 B:          SHARED     RESERVED ✗ (A)                    B is told that A has it
 *
 * @returns nothing when another holds it
 */
function takeKernelLock(folder: string): DatabaseSync | undefined {
  const file = join(folder, "lock.kernel");
  try {
    privateFolder(folder);
    // Only where there is none: this process may hold it, and would give it back by closing it here.
    if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  } catch (cause) {
    throw unusable(folder, cause);
  }
  for (let emptied = false; ; emptied = true) {
    const database = opened(folder, file);
    try {
      // No journal beside it: nothing is ever written.
      database.exec("PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE");
      return database;
    } catch (cause) {
      database.close();
      const code = sqliteCode(cause);
      if (code === busyCode) return undefined;
      if (!isDamage(cause) || emptied) throw unusable(folder, cause);
      // Something was written into it. It is emptied in place: another file of its name would be another lock.
      truncateSync(file);
    }
  }
}

function opened(folder: string, file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (cause) {
    throw unusable(folder, cause);
  }
}

/** Of a result code, the part that says what kind it is. */
const sqliteCode = (error: unknown): number | undefined =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : undefined;

/** Whether SQLite says of a file that it is damaged. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === corruptCode || code === notADatabaseCode;
}

const tell = (file: string, who: z.infer<typeof holder>): void => replaceFile(file, `${JSON.stringify(who)}\n`);

/** Who holds it, where that can be read: a holder that has just begun has not said so yet. */
function readHolder(file: string): z.infer<typeof holder> | undefined {
  try {
    return holder.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    // Missing, half a file, another version's: in each case nobody is named, and the lock itself is the kernel's.
    if (error instanceof Error) return undefined;
    throw error;
  }
}

function inUse(folder: string, who: z.infer<typeof holder> | undefined): string {
  const other = "or give another folder with --data.";
  if (who === undefined) {
    return `The data folder ${folder} is in use by another process, which has just begun. Stop it first (Ctrl-C where it runs), ${other}`;
  }
  const since = new Date(who.sinceMs).toISOString().slice(0, 16).replace("T", " ");
  return `The data folder ${folder} is in use by process ${who.pid} (${who.command}, since ${since}). Stop it first (Ctrl-C where it runs, or \`kill ${who.pid}\`), ${other}`;
}

const unusable = (folder: string, cause: unknown) =>
  new LocalHomeError("data_unusable", `The data folder ${folder} cannot be written.`, { cause });
