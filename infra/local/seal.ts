import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { LocalHomeError } from "./errors.ts";

/** More than this is not read at every start and stop (a few seconds); such a folder is left without a seal. */
const mostBytes = 512 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

const sealFile = "seal.json";
/** What is not the home's own memory, and what the lock itself writes. */
const left = /^(logs\/|lock$|lock\.kernel(-journal)?$|holder\.json(\.new)?$|seal\.json(\.new)?$)/;

const seal = z.object({ v: z.literal(1), sum: z.string(), files: z.record(z.string(), z.string()) });
const sumOf = (files: Record<string, string>) =>
  createHash("sha256")
    .update(JSON.stringify(Object.entries(files).sort()))
    .digest("base64");

/**
 * Writes down what every file of a folder holds, for the next start to compare: SQLite and LevelDB find damage in their
 * structure, but not a changed byte in what they keep. To be called when everything in it is closed.
 */
export function sealFolder(folder: string): void {
  const names = filesIn(folder);
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  if (bytes > mostBytes) return;
  const files = Object.fromEntries(names.map((name) => [name, digestOf(join(folder, name))]));
  const path = join(folder, sealFile);
  writeFileSync(`${path}.new`, JSON.stringify({ v: 1, sum: sumOf(files), files }), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/**
 * Compares a folder with its seal and takes the seal off, as what follows changes the files. A folder whose last holder was
 * killed has none.
 *
 * @throws LocalHomeError `data_unusable` naming the first file that is another or missing, and what to do
 */
export function breakSeal(folder: string): void {
  const path = join(folder, sealFile);
  if (!existsSync(path)) return;
  for (const [name, digest] of Object.entries(readSeal(path))) {
    const file = join(folder, name);
    if (!existsSync(file)) throw damaged(path, file, "is missing, which was there when the home stopped");
    if (digestOf(file) !== digest)
      throw damaged(path, file, "is damaged: it is not what the home left when it stopped");
  }
  rmSync(path);
}

function readSeal(path: string): Record<string, string> {
  try {
    const { sum, files } = seal.parse(JSON.parse(readFileSync(path, "utf8")));
    if (sum === sumOf(files)) return files;
  } catch (error) {
    // No JSON, or another version's: it seals nothing.
    if (!(error instanceof Error)) throw error;
  }
  throw damaged(path, path, "is damaged, so the files beside it cannot be compared");
}

const damaged = (path: string, file: string, how: string) =>
  new LocalHomeError(
    "data_unusable",
    `${file} ${how}. Restore the whole data folder from a backup, or give another with --data; ` +
      `if you changed the file yourself and want it as it is, delete ${path}.`,
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
