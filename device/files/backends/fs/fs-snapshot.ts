import { lstatSync, readdirSync } from "node:fs";
import {
  type DigestedEntry,
  type DirectoryListing,
  type DirectorySnapshot,
  digestOfListing,
  directoryDigest,
  type WatchedFile,
} from "../../snapshot/tree-snapshot.ts";
import { kindOf } from "./fs-directory.ts";

/** Directories taken at a time. Few, because nothing else happens in a thread meanwhile, and some hold thousands of files. */
const directoriesAtATime = 4;

/** Where the threads of one comparison meet: 32-bit numbers in shared memory, used through Atomics alone. */
const slots = { taken: 0, looked: 1, changed: 2 } as const;

/** What each thread of a comparison is given. */
export interface Comparison {
  /** Absolute. */
  readonly root: string;
  readonly snapshot: readonly DirectorySnapshot[];
  readonly maxChanged: number;
  readonly progress: Int32Array;
  /** One for each directory of the snapshot that is not as it was; written by the thread that took it, before it says so. */
  readonly isChanged: Uint8Array;
}

/** The memory that the threads of one comparison share, with nothing compared yet. @param maxChanged where it ends early */
export function newComparison(root: string, snapshot: readonly DirectorySnapshot[], maxChanged: number): Comparison {
  const bytes = Object.keys(slots).length * Int32Array.BYTES_PER_ELEMENT;
  const progress = new Int32Array(new SharedArrayBuffer(bytes));
  return { root, snapshot, maxChanged, progress, isChanged: new Uint8Array(new SharedArrayBuffer(snapshot.length)) };
}

/** Whether every directory has been looked at. */
export function isDone({ snapshot, progress }: Comparison): boolean {
  return Atomics.load(progress, slots.looked) === snapshot.length;
}

/** Whether more than may have changed is known to have. */
export function isTooMuch({ maxChanged, progress }: Comparison): boolean {
  return Atomics.load(progress, slots.changed) > maxChanged;
}

/** Compares the next few directories that no other thread has taken; false when there is nothing left to do. */
export function compareSome(comparison: Comparison): boolean {
  const { root, snapshot, progress, isChanged } = comparison;
  if (isTooMuch(comparison)) return false;
  const from = Atomics.add(progress, slots.taken, directoriesAtATime);
  const to = Math.min(from + directoriesAtATime, snapshot.length);
  for (let index = from; index < to; index++) {
    const known = snapshot[index];
    if (known === undefined) return false;
    if (digestNow(known.path === "" ? root : `${root}/${known.path}`, known) === known.digest) continue;
    Atomics.store(isChanged, index, 1);
    Atomics.add(progress, slots.changed, 1);
  }
  if (to > from) Atomics.add(progress, slots.looked, to - from);
  return to > from;
}

/**
 * By plain paths, unlike everything else that touches a project's files: somebody who swaps a directory for a link while
 * this looks can have it say "it differs", which has it walked, or "it is as it was" about files with the very inodes, sizes
 * and times of those that were scanned. Through descriptors it takes twice as long.
 */
function digestNow(directory: string, { listing, unwatched }: DirectorySnapshot): string | undefined {
  const ignored = new Set(unwatched);
  try {
    if (listing !== undefined && hasStamp(directory, listing))
      return digestOfListing(listing.entries, (name) => (ignored.has(name) ? undefined : watchedIn(directory, name)));
    return digestOnDisk(directory, ignored);
  } catch {
    // Gone, or not to be read any more: the walk that follows says which.
    return undefined;
  }
}

function hasStamp(directory: string, { stamp: [device, inode, mtimeMs, ctimeMs] }: DirectoryListing): boolean {
  const stats = lstatSync(directory);
  return stats.ino === inode && stats.ctimeMs === ctimeMs && stats.mtimeMs === mtimeMs && stats.dev === device;
}

function digestOnDisk(directory: string, ignored: ReadonlySet<string>): string | undefined {
  const entries: DigestedEntry[] = [];
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const { name } = entry;
    const kind = kindOf(entry);
    const watched = kind === "file" && !ignored.has(name) ? watchedIn(directory, name) : undefined;
    if (watched === "gone") return undefined;
    entries.push({ name, kind, watched });
  }
  return directoryDigest(entries);
}

function watchedIn(directory: string, name: string): WatchedFile | "gone" {
  const stats = lstatSync(`${directory}/${name}`, { throwIfNoEntry: false });
  if (stats === undefined) return "gone";
  const { ino: inode, size: sizeBytes, mtimeMs, ctimeMs } = stats;
  return { inode, sizeBytes, mtimeMs, ctimeMs };
}
