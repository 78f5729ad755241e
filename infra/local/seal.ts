import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { replaceFile } from "../standins/replace-file.ts";
import { LocalHomeError } from "./errors.ts";

/** More than this is not read at every start and stop (a few seconds); such a folder is left without a seal. */
const mostBytes = 512 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

const sealFile = "seal.json";
/** The seal as it was when the folder was taken: what a killed process leaves is compared with it, as far as it can be. */
const brokenFile = "seal.broken.json";
/** What is not the home's own memory, and what the lock itself writes. */
const left = /^(logs\/|lock$|lock\.kernel(-journal)?$|holder\.json(\.new)?$|seal(\.broken)?\.json(\.new)?$)/;
/** Comes and goes while a home runs: the tables of LevelDB and its logs, the journals of SQLite. */
const passing = /\.(ldb|log)$|\/(LOG(\.old)?|MANIFEST-\d+)$|-(wal|shm|journal)$|\.new$/;

/** Who people are, and keys: a home adds to these, which makes them longer, and changes nothing in them. */
const lasting = /^((identity|own-mailbox|secrets)\.json|(issuer|kms|push)\/[^/]+\.json)$/;

const databases = /\.(sqlite|db)$/;
/** No file has so many bytes. */
const beingWritten = -1;
/** Less than any clock of a file system steps by; a time that was copied is rounded. */
const timeToleranceMs = 0.01;

/** What a file was; its size and time tell whether anybody has written it since. */
const sealedFile = z.object({ digest: z.string(), bytes: z.number(), mtimeMs: z.number() });
const seal = z.object({ v: z.literal(2), sum: z.string(), files: z.record(z.string(), sealedFile) });
type SealedFiles = z.infer<typeof seal>["files"];
const sumOf = (files: SealedFiles) =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))))
    .digest("base64");

/**
 * Writes down what every file of a folder holds, for the next start to compare: SQLite and LevelDB find damage in their
 * structure, but not a changed byte in what they keep. To be called when everything in it is closed.
 */
export function sealFolder(folder: string): void {
  const names = filesIn(folder);
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  if (bytes <= mostBytes) write(folder, sealFile, sealed(folder, names));
  // Not before: on a full disk there is no new one, and the next start compares with the old one as after a kill.
  rmSync(join(folder, brokenFile), { force: true });
}

/**
 * Compares a folder with its seal and breaks it, as what follows changes the files.
 *
 * @throws LocalHomeError as {@link compareWithSeal}
 */
export function breakSeal(folder: string): void {
  compareWithSeal(folder);
  const path = join(folder, sealFile);
  if (!existsSync(path)) return;
  // With the times they have now: a folder that was restored or copied has others.
  write(folder, brokenFile, withTimes(folder, readSeal(path)));
  rmSync(path);
}

/**
 * Compares a folder that nobody has with its seal. The last holder of a folder without one was killed: then the files that it
 * had not written since it took the folder, and those that no home changes, are compared with the seal it had broken, and what a
 * home never takes away has to be there. Where there is no seal at all, databases have to be whole.
 *
 * @throws LocalHomeError `data_unusable` naming the first file that is another or missing, and what to do
 */
export function compareWithSeal(folder: string): void {
  const [path, broken] = [join(folder, sealFile), join(folder, brokenFile)];
  if (existsSync(path)) compareStopped(folder, path);
  else if (existsSync(broken)) compareKilled(folder, broken);
  else if (existsSync(folder)) compareUnsealed(folder);
}

/**
 * Adds what a start has made to the broken seal, so that it is missed if that home is killed: who people are and keys, which
 * are never written again, and databases, of which only that they are there.
 */
export function noteLasting(folder: string): void {
  const broken = join(folder, brokenFile);
  const known = existsSync(broken) ? readSeal(broken) : {};
  const fresh = filesIn(folder).filter((name) => !passing.test(name) && known[name] === undefined);
  const files = Object.entries(sealed(folder, fresh)).map(
    ([name, file]) => [name, name.endsWith(".json") ? file : { ...file, bytes: beingWritten }] as const,
  );
  if (files.length > 0) write(folder, brokenFile, { ...known, ...Object.fromEntries(files) });
}

function compareStopped(folder: string, path: string): void {
  for (const [name, { digest }] of Object.entries(readSeal(path))) {
    const file = join(folder, name);
    if (!existsSync(file)) throw damaged(path, file, "is missing, which was there when the home stopped");
    if (digestOf(file) !== digest)
      throw damaged(path, file, "is damaged: it is not what the home left when it stopped");
  }
}

function compareKilled(folder: string, broken: string): void {
  for (const [name, was] of Object.entries(readSeal(broken))) {
    const file = join(folder, name);
    if (!existsSync(file)) {
      if (passing.test(name)) continue;
      throw damaged(broken, file, "is missing, and no home takes it away");
    }
    const { size, mtimeMs } = statSync(file);
    if (lasting.test(name) && size === was.bytes && digestOf(file) !== was.digest) {
      throw damaged(broken, file, "is damaged: it is not what the home wrote, and no home changes it");
    }
    const isUntouched = size === was.bytes && Math.abs(mtimeMs - was.mtimeMs) < timeToleranceMs;
    if (isUntouched && digestOf(file) !== was.digest) {
      throw damaged(broken, file, "is damaged: nobody has written it since the home started, and it is another");
    }
    const found = isUntouched || !databases.test(name) ? undefined : damageIn(file);
    if (found !== undefined) throw damaged(broken, file, `is damaged (${found})`);
  }
}

/** Somebody took the seal away, or there never was one: what SQLite itself finds is all that can be told. */
function compareUnsealed(folder: string): void {
  for (const name of filesIn(folder).filter((each) => databases.test(each))) {
    const file = join(folder, name);
    const found = statSync(file).size > mostBytes ? undefined : damageIn(file);
    if (found === undefined) continue;
    throw new LocalHomeError("data_unusable", `${file} is damaged (${found}). ${fromBackup}.`);
  }
}

/** What SQLite finds wrong with a database that was in use when its home was killed. */
function damageIn(file: string): string | undefined {
  const database = new DatabaseSync(file);
  try {
    const found = String(database.prepare("PRAGMA integrity_check(1)").get()?.["integrity_check"]);
    return found === "ok" ? undefined : found.split("\n")[0];
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  } finally {
    database.close();
  }
}

/** Its time is taken before its content: what is written in between is told by a later time. */
const withTime = (file: string, digest: () => string) => {
  const { size, mtimeMs } = statSync(file);
  return { digest: digest(), bytes: size, mtimeMs };
};

const sealed = (folder: string, names: readonly string[]): SealedFiles =>
  Object.fromEntries(names.map((name) => [name, withTime(join(folder, name), () => digestOf(join(folder, name)))]));

const withTimes = (folder: string, files: SealedFiles): SealedFiles =>
  Object.fromEntries(
    Object.entries(files).map(([name, { digest }]) => [name, withTime(join(folder, name), () => digest)]),
  );

function write(folder: string, name: string, files: SealedFiles): void {
  replaceFile(join(folder, name), JSON.stringify({ v: 2, sum: sumOf(files), files }));
}

function readSeal(path: string): SealedFiles {
  try {
    const { sum, files } = seal.parse(JSON.parse(readFileSync(path, "utf8")));
    if (sum === sumOf(files)) return files;
  } catch (error) {
    // No JSON, or another version's: it seals nothing.
    if (!(error instanceof Error)) throw error;
  }
  throw damaged(path, path, "is damaged, so the files beside it cannot be compared");
}

const fromBackup = "Restore the whole data folder from a backup, or give another with --data";

const damaged = (path: string, file: string, how: string) =>
  new LocalHomeError(
    "data_unusable",
    `${file} ${how}. ${fromBackup}; if you changed the file yourself and want it as it is, delete ${path}.`,
  );

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((name) => !left.test(name))
    .sort();
}

/** Also has the disk keep what it has: a power cut must not leave a seal beside older files. */
function digestOf(file: string): string {
  const handle = openSync(file, "r");
  try {
    fsyncSync(handle);
    const hash = createHash("sha256");
    const chunk = Buffer.alloc(chunkBytes);
    for (let read = readSync(handle, chunk); read > 0; read = readSync(handle, chunk)) {
      hash.update(chunk.subarray(0, read));
    }
    return hash.digest("base64");
  } finally {
    closeSync(handle);
  }
}
