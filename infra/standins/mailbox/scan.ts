import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../transaction.ts";
import { scanMbox } from "./formats/mbox.ts";
import { listMailFiles, type MailFile, type MailSource, requireMail, requireThere } from "./formats/source.ts";
import { readSlice } from "./store/content.ts";
import type { FoundSlice, KnownFile, KnownSlice, Slices } from "./store/slices.ts";

const messagesPerTransaction = 500;
const filesAtOnce = 64;
const headBytes = 64 * 1024;
/** Messages whose bytes are compared before a file counts as merely grown. */
const samples = 50;

/** How long a file of each layout must have been left alone to be read. */
export type IdleMs = Readonly<Record<MailFile["layout"], number>>;

export interface ScanResult {
  /** True when files were left for later because they are still changing. */
  readonly unsettled: boolean;
  /** True when messages were added, moved or lost. */
  readonly changed: boolean;
  /** Messages that had arrived and are no longer anywhere. */
  readonly missing: readonly string[];
}

/**
 * Brings the state up to date with the mailbox's files. Bytes that were seen before, wherever they lie now, are the
 * same message; the same bytes once more are another one; a file that grew at its end is the same message, complete now.
 * Files changed less than `quietMs` ago are left for a later scan: they may be half written. Throws {@link StandInError}
 * `mailbox_unreadable`, also for a folder that is taken away meanwhile: nothing is called missing then; `mailbox_not_mail`
 * for a single file that holds something else.
 */
export async function scanSource(
  database: DatabaseSync,
  slices: Slices,
  source: MailSource,
  quietMs: IdleMs,
): Promise<ScanResult> {
  const known = slices.files();
  const files = await listMailFiles(source);
  // A single file that is away or empty is being replaced: nobody deletes a mailbox mail by mail like that. One that never
  // held mail may still get some.
  if (source.kind === "file" && files.length === 0) {
    await requireMail(source, (file) => !isFresh(file, quietMs.mbox));
    return { unsettled: known.size > 0, changed: false, missing: [] };
  }
  await requireThere(source);
  const present = new Set(files.map((file) => file.path));
  const absent = [...known.keys()].filter((path) => !present.has(path));
  inTransaction(database, () => {
    for (const path of absent) slices.dropFile(path);
  });

  const changed = files.filter((file) => {
    const before = known.get(file.path);
    return before?.size_bytes !== file.sizeBytes || before.modified_ms !== file.modifiedMs;
  });
  const settled = changed.filter((file) => !isFresh(file, quietMs[file.layout]));
  const singles = settled.filter((file) => file.layout === "message");
  const before = inTransaction(database, () => lift(slices, singles));
  for (let at = 0; at < singles.length; at += filesAtOnce) {
    absent.push(...(await scanSingles(database, slices, singles.slice(at, at + filesAtOnce), before)));
  }
  for (const file of settled) {
    if (file.layout === "mbox") await scanMboxFile(database, slices, file, known.get(file.path));
  }
  await requireThere(source);
  // Away for a moment of this scan, and back: the next one finds it.
  const ofThisMailbox = absent.filter((path) => path.startsWith(join(source.path, sep)));
  if (await isAnyThere(ofThisMailbox)) return { unsettled: true, changed: true, missing: [] };
  return {
    unsettled: settled.length < changed.length,
    changed: settled.length > 0 || files.length < known.size,
    missing: inTransaction(database, () => slices.markMissing()),
  };
}

/**
 * Takes changed files' messages off their places before any is put down again, so that content that only moved finds
 * its message homeless instead of looking like a second copy. A process killed in between reads the files anew.
 */
function lift(slices: Slices, files: readonly MailFile[]): Map<string, KnownSlice> {
  const lifted = new Map<string, KnownSlice>();
  for (const { path } of files) {
    const slice = slices.inFile(path, 0).get(0);
    if (slice !== undefined) lifted.set(path, slice);
    slices.dropFile(path);
  }
  return lifted;
}

async function isAnyThere(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
      throw error;
    });
    if (found !== undefined && found.size > 0) return true;
  }
  return false;
}

/** @returns paths of files that were gone when they were to be read */
async function scanSingles(
  database: DatabaseSync,
  slices: Slices,
  files: readonly MailFile[],
  lifted: ReadonlyMap<string, KnownSlice>,
): Promise<string[]> {
  const read = await Promise.all(
    files.map(async (file) => {
      const found = await readMessageFile(file.path);
      if (found === undefined) return undefined;
      const before = lifted.get(file.path);
      return { file, found, before, grown: await continues(file.path, before, found) };
    }),
  );
  inTransaction(database, () => {
    for (const one of read) {
      if (one === undefined) continue;
      slices.place(one.file, one.found, one.before, one.grown);
      slices.saveFile(one.file, 0);
    }
  });
  return files.filter((_, at) => read[at] === undefined).map(({ path }) => path);
}

async function readMessageFile(path: string): Promise<FoundSlice | undefined> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (bytes === undefined || bytes.length === 0) return undefined;
  const head = Buffer.from(bytes.subarray(0, headBytes));
  const hash = sha256(bytes);
  return { offset: 0, length: bytes.length, hash, identity: hash, head };
}

async function scanMboxFile(
  database: DatabaseSync,
  slices: Slices,
  file: MailFile,
  before: KnownFile | undefined,
): Promise<void> {
  const from = before === undefined ? 0 : await resumePoint(slices, file, before);
  const lifted = slices.inFile(file.path, from);
  inTransaction(database, () => slices.liftFrom(file.path, from));
  let resumeAt = from;
  let chunk: { found: FoundSlice; before: KnownSlice | undefined; grown: boolean }[] = [];
  const placeChunk = () =>
    inTransaction(database, () => {
      for (const one of chunk) slices.place(file, one.found, one.before, one.grown);
      chunk = [];
    });

  for await (const found of scanMbox(file.path, from)) {
    resumeAt = found.separatorOffset;
    const old = lifted.get(found.offset);
    chunk.push({ found, before: old, grown: await continues(file.path, old, found) });
    if (chunk.length >= messagesPerTransaction) placeChunk();
  }
  placeChunk();
  inTransaction(database, () => slices.saveFile(file, resumeAt));
}

/**
 * Where reading an mbox may go on when mail was appended: at its last message, which may have been cut short. A newer
 * export in the file's place is longer too, so samples of what was read have to lie where they lay; what they miss shows
 * when it is read.
 */
async function resumePoint(slices: Slices, file: MailFile, before: KnownFile): Promise<number> {
  if (before.size_bytes < 0 || file.sizeBytes <= before.size_bytes) return 0;
  const start = await readSlice(file.path, before.resume_at, 5);
  if (start?.toString("latin1") !== "From ") return 0;
  for (const { offset, length, hash } of slices.sample(file.path, before.resume_at, samples)) {
    const bytes = await readSlice(file.path, offset, length);
    if (bytes === undefined || sha256(bytes) !== hash) return 0;
  }
  return before.resume_at;
}

async function continues(path: string, old: KnownSlice | undefined, found: FoundSlice): Promise<boolean> {
  if (old === undefined || old.hash === found.hash || found.length <= old.length) return false;
  const prefix = await readSlice(path, old.offset, old.length);
  return prefix !== undefined && sha256(prefix) === old.hash;
}

function isFresh(file: MailFile, quietMs: number): boolean {
  const ageMs = Date.now() - file.modifiedMs;
  return ageMs >= 0 && ageMs < quietMs;
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
