import { hash } from "node:crypto";
import type { EntryKind } from "../file-metadata.ts";
import type { ProjectFiles } from "../project-files.ts";
import type { DirectoryStamp } from "../walk/walk-types.ts";

/** What one directory of a tree looked like. */
export interface DirectorySnapshot {
  /** Project path. */
  readonly path: string;
  /** `directoryDigest` of its entries. */
  readonly digest: string;
  /** Files that are there and whose content nobody cares for, such as logs: they may change as they like. */
  readonly unwatched: readonly string[];
  /** Where its names need not be read again as long as the directory's own times are these. */
  readonly listing?: DirectoryListing;
}

/** The entries of a directory, and when they were those. */
export interface DirectoryListing {
  readonly stamp: DirectoryStamp;
  /** {@link listingText}. */
  readonly entries: string;
}

export interface CompareOptions {
  /** After so long there is no answer: a walk has to tell. */
  readonly maxDurationMs: number;
  /** With more changed directories than this there is no answer either. */
  readonly maxChanged: number;
  readonly signal?: AbortSignal | undefined;
}

/** A backend that can say, sooner than a walk could, where a tree is not as it was. */
export interface SnapshotFiles {
  /**
   * Paths of the directories of `snapshot` that do not look as they did, or cannot be read, in the snapshot's order. When there
   * are none, the tree is as it was if these are all it had. Undefined when there are too many, or time was up. Only metadata
   * are looked at, and nothing of what is found leaves.
   * @throws Cancelled
   */
  changesSince(snapshot: readonly DirectorySnapshot[], options: CompareOptions): Promise<readonly string[] | undefined>;
}

/** Whether this backend can tell which folders have changed since a snapshot; a bucket cannot. */
export function comparesSnapshots(files: ProjectFiles): files is ProjectFiles & SnapshotFiles {
  return "changesSince" in files && typeof files.changesSince === "function";
}

/** What tells that a file is another or has other content (see `FileMetadata`). */
export interface WatchedFile {
  readonly inode: number;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export interface DigestedEntry {
  readonly name: string;
  readonly kind: EntryKind;
  /** Absent for whatever is not a watched file. */
  readonly watched?: WatchedFile | undefined;
}

const numbersPerFile = 4;
/** Grows to what the largest directory takes. */
let bytes = Buffer.allocUnsafeSlow(64 * 1024);

/** SHA-256 (base64url) of names, kinds and what is watched, in whatever order the entries come. */
export function directoryDigest(entries: readonly DigestedEntry[]): string {
  const sorted = isSorted(entries) ? entries : entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const numbers = new Float64Array(sorted.length * numbersPerFile);
  for (const [index, { watched }] of sorted.entries()) putWatched(numbers, index, watched);
  return digestOf(listingText(sorted), numbers);
}

/** Names and kinds as a digest takes them, and as {@link digestOfListing} reads them. @param sorted by name, in code units */
export function listingText(sorted: readonly DigestedEntry[]): string {
  let text = "";
  // No name holds a slash.
  for (const { name, kind } of sorted) text += `${name}/${kind[0]}/`;
  return text;
}

/**
 * The digest of a directory that has these entries.
 *
 * @param watch what there is to a file now; undefined for one that is not watched, "gone" for one that is not there
 * @returns undefined when a file is gone
 */
export function digestOfListing(
  entries: string,
  watch: (name: string) => WatchedFile | undefined | "gone",
): string | undefined {
  const parts = entries.split("/");
  const count = (parts.length - 1) / 2;
  const numbers = new Float64Array(count * numbersPerFile);
  for (let index = 0; index < count; index++) {
    const watched = parts[index * 2 + 1] === "f" ? watch(parts[index * 2] ?? "") : undefined;
    if (watched === "gone") return undefined;
    putWatched(numbers, index, watched);
  }
  return digestOf(entries, numbers);
}

function putWatched(numbers: Float64Array, index: number, watched: WatchedFile | undefined): void {
  const at = index * numbersPerFile;
  numbers[at] = watched?.inode ?? 0;
  // -1 is no file's size, so that an empty file is not taken for one that is not watched.
  numbers[at + 1] = watched?.sizeBytes ?? -1;
  numbers[at + 2] = watched?.mtimeMs ?? 0;
  numbers[at + 3] = watched?.ctimeMs ?? 0;
}

function digestOf(names: string, numbers: Float64Array): string {
  // In one piece: an object that is told twice and asked once takes three times as long.
  const most = names.length * 3 + numbers.byteLength;
  if (bytes.length < most) bytes = Buffer.allocUnsafeSlow(most);
  const length = bytes.write(names);
  bytes.set(new Uint8Array(numbers.buffer), length);
  return hash("sha256", bytes.subarray(0, length + numbers.byteLength), "base64url");
}

/** Most systems list a directory so. */
function isSorted(entries: readonly DigestedEntry[]): boolean {
  let before = "";
  for (const { name } of entries) {
    if (name < before) return false;
    before = name;
  }
  return true;
}
