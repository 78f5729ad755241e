import { lstatSync, readdirSync } from "node:fs";
import { type DigestedEntry, type DirectorySnapshot, directoryDigest } from "../../snapshot/tree-snapshot.ts";
import { kindOf } from "./fs-directory.ts";

/** Directories taken at a time. Few, because nothing else happens in a thread meanwhile, and some hold thousands of files. */
const directoriesAtATime = 4;

/** Where the threads of one comparison meet: 32-bit numbers in shared memory, used through Atomics alone. */
const slots = { taken: 0, same: 1, differs: 2 } as const;

/** What each thread of a comparison is given. */
export interface Comparison {
  /** Absolute. */
  readonly root: string;
  readonly snapshot: readonly DirectorySnapshot[];
  readonly progress: Int32Array;
}

export function newComparison(root: string, snapshot: readonly DirectorySnapshot[]): Comparison {
  const bytes = Object.keys(slots).length * Int32Array.BYTES_PER_ELEMENT;
  return { root, snapshot, progress: new Int32Array(new SharedArrayBuffer(bytes)) };
}

/** What is known so far; undefined while directories are still being looked at. */
export function verdictOf({ snapshot, progress }: Comparison): boolean | undefined {
  if (Atomics.load(progress, slots.differs) > 0) return false;
  return Atomics.load(progress, slots.same) === snapshot.length ? true : undefined;
}

/** Compares the next few directories that no other thread has taken; false when there is nothing left to do. */
export function compareSome({ root, snapshot, progress }: Comparison): boolean {
  if (Atomics.load(progress, slots.differs) > 0) return false;
  const from = Atomics.add(progress, slots.taken, directoriesAtATime);
  const mine = snapshot.slice(from, from + directoriesAtATime);
  for (const { path, digest, unwatched } of mine) {
    if (digestOnDisk(path === "" ? root : `${root}/${path}`, unwatched) === digest) continue;
    Atomics.store(progress, slots.differs, 1);
    return false;
  }
  Atomics.add(progress, slots.same, mine.length);
  return mine.length > 0;
}

/**
 * By plain paths, unlike everything else that touches a project's files: somebody who swaps a directory for a link while
 * this looks can have it say "it differs", which costs a walk, or "it is as it was" about files with the very inodes, sizes
 * and times of those that were scanned. Through descriptors it takes twice as long.
 */
function digestOnDisk(directory: string, unwatched: readonly string[]): string | undefined {
  const ignored = new Set(unwatched);
  const entries: DigestedEntry[] = [];
  try {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const { name } = entry;
      const kind = kindOf(entry);
      if (kind !== "file" || ignored.has(name)) {
        entries.push({ name, kind });
        continue;
      }
      const stats = lstatSync(`${directory}/${name}`, { throwIfNoEntry: false });
      if (stats === undefined) return undefined;
      const { ino: inode, size: sizeBytes, mtimeMs, ctimeMs } = stats;
      entries.push({ name, kind, watched: { inode, sizeBytes, mtimeMs, ctimeMs } });
    }
  } catch {
    // Gone, or not to be read any more: the walk that follows says which.
    return undefined;
  }
  return directoryDigest(entries);
}
