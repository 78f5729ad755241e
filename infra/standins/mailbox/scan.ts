import type { Stats } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../transaction.ts";
import { listMailFiles, type MailFile, type MailSource } from "./formats/mail-files.ts";
import { hasGone, isOfOneFile, unreadableMailbox } from "./formats/refusals.ts";
import { locksOf, requireMail, requireThere } from "./formats/source.ts";
import { scanMboxFile } from "./scan-mbox.ts";
import { type Origin, originOf, sha256 } from "./store/origin.ts";
import type { FoundSlice, KnownSlice } from "./store/slice.ts";
import type { Slices } from "./store/slices.ts";

const filesAtOnce = 64;
const headBytes = 64 * 1024;

/** How long a file must have been left alone, in milliseconds. */
export interface Patience {
  /** To be read, by its layout. */
  readonly message: number;
  readonly mbox: number;
  /** For the last message of an mbox to be taken as it is, where it does not look finished. */
  readonly unfinished: number;
  /** To be read although another program has it locked, by a file beside it: that one may have died. */
  readonly locked: number;
}

export interface ScanResult {
  /** True when files were left for later because they are just changing. */
  readonly unsettled: boolean;
  /** The mailbox is one file, which is away or empty: what was in it may come back, and is not called gone. */
  readonly isAway: boolean;
  /** True when messages were added, moved or lost. */
  readonly changed: boolean;
  /** Messages that had arrived and are no longer anywhere; each scan says so until that is noted. */
  readonly missing: readonly string[];
  /** Paths of what cannot be read while the rest of the mailbox can. What was known of mail there stays. */
  readonly unread: readonly string[];
}

/**
 * Brings the state up to date with the mailbox's files. Bytes that were seen before, wherever they lie now, are the
 * same message; the same bytes once more are another one; what was read before it was written to its end is another one as
 * well. Files that may be half written are left for a later scan, as long as the patience lasts. Throws {@link StandInError}
 * `mailbox_unreadable`, also for a folder that is taken away meanwhile: nothing is called missing then; `mailbox_not_mail`
 * for a single file that holds something else.
 */
export async function scanSource(
  database: DatabaseSync,
  slices: Slices,
  source: MailSource,
  patience: Patience,
): Promise<ScanResult> {
  const known = slices.files();
  const { files, unread } = await listMailFiles(source);
  // A single file that is away or empty is being replaced: nobody deletes a mailbox mail by mail like that. One that never
  // held mail may still get some.
  if (source.kind === "file" && files.length === 0) {
    await requireMail(source, (file) => !isFresh(file, patience.unfinished));
    return { unsettled: false, isAway: known.size > 0, changed: false, missing: [], unread };
  }
  await requireThere(source);
  const present = new Set([...files.map((file) => file.path), ...unread]);
  const isHidden = (path: string) => unread.some((folder) => path.startsWith(join(folder, sep)));
  const absent = [...known.keys()].filter((path) => !present.has(path) && !isHidden(path));
  inTransaction(database, () => {
    for (const path of absent) slices.dropFile(path);
  });

  const changed = files.filter((file) => {
    const before = known.get(file.path);
    return before?.size_bytes !== file.sizeBytes || before.modified_ms !== file.modifiedMs;
  });
  const quiet = changed.filter((file) => !isFresh(file, patience[file.layout]));
  const locked = await lockedAmong(quiet, patience.locked);
  const settled = quiet.filter((file) => !locked.has(file));
  const refused = await refusedAmong(settled);
  if (refused.size > 0 && refused.size === files.length) throw unreadableMailbox(source.path, undefined);
  const readable = settled.filter((file) => !refused.has(file));
  const brokenOff: MailFile[] = [];
  const singles = readable.filter((file) => file.layout === "message");
  const before = inTransaction(database, () => lift(slices, singles));
  for (let at = 0; at < singles.length; at += filesAtOnce) {
    const { gone, failed } = await scanSingles(database, slices, singles.slice(at, at + filesAtOnce), before);
    absent.push(...gone);
    for (const file of failed) refused.add(file);
  }
  let isWaitedFor = locked.size > 0;
  for (const file of readable.filter(({ layout }) => layout === "mbox")) {
    const waits = isFresh(file, patience.unfinished);
    const read = await scanMboxFile(database, slices, file, known.get(file.path), waits);
    if (read === "waits") isWaitedFor = true;
    if (read === "brokeOff") brokenOff.push(file);
    if (read === "failed") refused.add(file);
  }
  if (refused.size > 0 && refused.size === files.length) throw unreadableMailbox(source.path, undefined);
  await requireThere(source);
  // Away for a moment of this scan, and back: the next one finds it.
  const ofThisMailbox = absent.filter((path) => path.startsWith(join(source.path, sep)));
  const notRead = [...unread, ...[...refused, ...brokenOff].map(({ path }) => path)];
  const isAway = false;
  if (await isAnyThere(ofThisMailbox)) return { unsettled: true, isAway, changed: true, missing: [], unread: notRead };
  return {
    unsettled: quiet.length < changed.length,
    isAway,
    changed: readable.length > 0 || files.length < known.size,
    // What is not there may be about to be written.
    missing: isWaitedFor ? [] : inTransaction(database, () => slices.lost()),
    unread: notRead,
  };
}

/** Files that the system does not let us read: what is known of them is left as it is. */
async function refusedAmong(files: readonly MailFile[]): Promise<Set<MailFile>> {
  const refused = new Set<MailFile>();
  for (let at = 0; at < files.length; at += filesAtOnce) {
    await Promise.all(
      files.slice(at, at + filesAtOnce).map(async (file) => {
        if (!(await canBeRead(file.path))) refused.add(file);
      }),
    );
  }
  return refused;
}

/** One that has gone meanwhile counts as readable: that is found when it is read. */
async function canBeRead(path: string): Promise<boolean> {
  try {
    await (await open(path, "r")).close();
    return true;
  } catch (error) {
    if (isOfOneFile(error)) return (await statOf(path)) === undefined;
    throw error;
  }
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

/**
 * Mboxes that another program has locked, by the file that programs agree on
 * (https://doc.dovecot.org/2.3/configuration_manual/mail_location/mbox/mboxlocking/, "dotlock").
 */
async function lockedAmong(files: readonly MailFile[], patienceMs: number): Promise<ReadonlySet<MailFile>> {
  const locked = new Set<MailFile>();
  for (const file of files) {
    if (file.layout !== "mbox" || !isFresh(file, patienceMs)) continue;
    for (const lock of await locksOf(file.path)) if ((await statOf(lock)) !== undefined) locked.add(file);
  }
  return locked;
}

async function isAnyThere(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    if (((await statOf(path))?.size ?? 0) > 0) return true;
  }
  return false;
}

function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
}

/** @returns paths of files that were gone when they were to be read, and files that fail when they are */
async function scanSingles(
  database: DatabaseSync,
  slices: Slices,
  files: readonly MailFile[],
  lifted: ReadonlyMap<string, KnownSlice>,
): Promise<{ gone: string[]; failed: MailFile[] }> {
  const read = await Promise.all(files.map((file) => readSingle(file, lifted.get(file.path))));
  inTransaction(database, () => {
    for (const [at, file] of files.entries()) {
      const one = read[at];
      const before = lifted.get(file.path);
      if (one === "failed" && before !== undefined) slices.keepUnread(file, [before]);
      if (one === "failed" || one === "gone" || one === undefined) continue;
      slices.place(file, one.found, one.origin);
      slices.saveFile(file, 0);
    }
  });
  return {
    gone: files.filter((_, at) => read[at] === "gone").map(({ path }) => path),
    failed: files.filter((_, at) => read[at] === "failed"),
  };
}

/** A disk that dies opens files, and fails when they are read. */
async function readSingle(
  { path }: MailFile,
  before: KnownSlice | undefined,
): Promise<{ found: FoundSlice; origin: Origin } | "gone" | "failed"> {
  try {
    const found = await readMessageFile(path);
    return found === undefined ? "gone" : { found, origin: await originOf(path, before, found) };
  } catch (error) {
    if (!isOfOneFile(error)) throw error;
    return (await hasGone(path)) ? "gone" : "failed";
  }
}

async function readMessageFile(path: string): Promise<FoundSlice | undefined> {
  const bytes = await readFile(path);
  if (bytes.length === 0) return undefined;
  const head = Buffer.from(bytes.subarray(0, headBytes));
  const hash = sha256(bytes);
  return { offset: 0, length: bytes.length, hash, identity: hash, head };
}

/** One dated in the future counts as settled: by a clock that goes ahead of ours it would never be read. */
function isFresh(file: MailFile, quietMs: number): boolean {
  const ageMs = Date.now() - Math.floor(file.modifiedMs);
  return ageMs >= 0 && ageMs < quietMs;
}
