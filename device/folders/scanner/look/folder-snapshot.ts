import { createHash } from "node:crypto";
import type { ProjectId } from "../../../../events/ids.ts";
import { scoutsIgnoreFile } from "../../../access/policy/protected.ts";
import { isProjectFilesError } from "../../../files/errors.ts";
import { parentOf } from "../../../files/paths/project-path.ts";
import type { ProjectFiles } from "../../../files/project-files.ts";
import {
  comparesSnapshots,
  type DigestedEntry,
  type DirectoryListing,
  directoryDigest,
  listingText,
} from "../../../files/snapshot/tree-snapshot.ts";
import type { DirectoryStamp, ListedEntry } from "../../../files/walk/walk-types.ts";
import type { FolderSnapshot } from "../../../store/folder-schema.ts";
import type { DeviceStore } from "../../../store/open.ts";
import { isSettled } from "../file-times.ts";
import { kindOfName, readableNames } from "../kinds.ts";
import type { ScanLimits } from "../limits.ts";
import type { ReadingRules } from "../reading-rules.ts";
import type { ScannedDirectory } from "./scanned-directory.ts";

/** Raised whenever another version of this program would decide otherwise about the same folder. */
const decisionsVersion = 5;
const ignoreFiles = [".gitignore", scoutsIgnoreFile];
/** What git reads from outside the folder's own directories. */
const outerIgnoreFile = ".git/info/exclude";
/** A comparison that takes longer than this part of a scan's time leaves the rest to the walk. */
const shareOfTime = 4;
/** With more directories to look at, one walk is as cheap as many. */
const maxLookedAt = 256;

/** Everything a scan's decisions rest on, except what lies in the directories it enters; the same for the same. */
export async function scanBasis(files: ProjectFiles, rules: ReadingRules, limits: ScanLimits): Promise<string> {
  const { maxDurationMs: _, ...decisive } = limits;
  const { inode } = await files.metadata("");
  const facts = [decisionsVersion, inode, await versionOf(files, outerIgnoreFile), rules.hash, decisive, readableNames];
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex");
}

async function versionOf(files: ProjectFiles, path: string): Promise<string> {
  try {
    return (await files.metadata(path)).version;
  } catch (error) {
    if (isProjectFilesError(error)) return error.code;
    throw error;
  }
}

/** A folder beside what the last scan saw of it. */
export interface SnapshotComparison {
  readonly snapshot: FolderSnapshot;
  /** Directories to be looked at: they look otherwise, or hold files whose rows scans do not rely on (file-times.ts). */
  readonly toLookAt: readonly string[];
}

/**
 * Where the folder is not as the last scan left it. Undefined when that cannot be said, or is so in too many directories: then
 * only a walk of all of it can tell.
 *
 * @throws ProjectFilesError Cancelled
 */
export async function compareWithSnapshot(options: {
  readonly store: DeviceStore;
  readonly files: ProjectFiles;
  readonly projectId: ProjectId;
  readonly basis: string;
  readonly limits: ScanLimits;
  readonly signal?: AbortSignal | undefined;
}): Promise<SnapshotComparison | undefined> {
  const { store, files, projectId, basis, limits, signal } = options;
  if (!comparesSnapshots(files)) return undefined;
  const snapshot = store.folderSnapshots.find(projectId);
  if (snapshot?.basis !== basis) return undefined;
  const unreliable = store.folderFiles.unreliable(projectId, maxLookedAt + 1);
  if (unreliable.length > maxLookedAt) return undefined;
  const maxDurationMs = limits.maxDurationMs / shareOfTime;
  const compared = { maxDurationMs, maxChanged: maxLookedAt, signal };
  const changed = await files.changesSince(snapshot.directories, compared);
  if (changed === undefined) return undefined;
  return { snapshot, toLookAt: [...new Set([...changed, ...unreliable.map(parentOf)])] };
}

/** Names and directories a snapshot may hold; a larger folder is walked every time. */
const maxRemembered = 200_000;
/** Names in listings; directories beyond have theirs read every time. */
const maxListed = 200_000;

/** Notes what a walk is told of the directories it enters. */
export class SnapshotRecorder {
  readonly #now: () => number;
  readonly #directories: ScannedDirectory[] = [];
  #isComplete = true;
  #remembered = 0;
  #listed = 0;
  /** Before the next directory is looked at. */
  #sinceMs: number;

  /** @param now this machine's clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#sinceMs = now();
  }

  readonly note = (path: string, entries: readonly ListedEntry[], stamp?: DirectoryStamp): void => {
    if (!this.#isComplete) return;
    const lookedAtMs = this.#sinceMs;
    this.#sinceMs = this.#now();
    const unwatched: string[] = [];
    let rules = "";
    const digested = entries.map(({ name, kind, metadata }): DigestedEntry => {
      if (ignoreFiles.includes(name)) rules += `${name}/${kind}/${metadata?.version ?? ""}/`;
      if (kind !== "file") return { name, kind };
      if (!isWatched(name)) {
        unwatched.push(name);
        return { name, kind };
      }
      const { inode, sizeBytes = 0, mtimeMs = 0, ctimeMs } = metadata ?? {};
      // Gone since it was listed, or of a disk that does not say enough.
      if (inode === undefined || ctimeMs === undefined) this.#isComplete = false;
      // The manifest says of a document whether it was changed too shortly before it was read; of rules nobody does.
      else if (ignoreFiles.includes(name) && !isSettled(ctimeMs, this.#now())) this.#isComplete = false;
      return { name, kind, watched: { inode: Number(inode), sizeBytes, mtimeMs, ctimeMs: ctimeMs ?? 0 } };
    });
    this.#remembered += 1 + unwatched.length;
    if (this.#remembered > maxRemembered) this.#isComplete = false;
    const listing = this.#listingOf(digested, stamp, lookedAtMs);
    const digest = directoryDigest(digested);
    const scanned = { path, digest, unwatched, ...(rules !== "" && { rules }), ...(listing && { listing }) };
    if (this.#isComplete) this.#directories.push(scanned);
    else this.#directories.length = 0;
  };

  /** Undefined for a directory whose entries may have changed again in the same step of the disk's clock. */
  #listingOf(
    entries: readonly DigestedEntry[],
    stamp: DirectoryStamp | undefined,
    lookedAtMs: number,
  ): DirectoryListing | undefined {
    if (stamp === undefined || this.#listed + entries.length > maxListed) return undefined;
    const [, , mtimeMs, ctimeMs] = stamp;
    if (!isSettled(Math.max(mtimeMs, ctimeMs), lookedAtMs)) return undefined;
    this.#listed += entries.length;
    return { stamp, entries: listingText(entries) };
  }

  /** Of all directories; undefined when there are too many, or one that nothing can be said about. */
  get directories(): readonly ScannedDirectory[] | undefined {
    return this.#isComplete ? this.#directories : undefined;
  }
}

/** Files of other types count by their names alone. */
function isWatched(name: string): boolean {
  return kindOfName(name) !== undefined || ignoreFiles.includes(name);
}
