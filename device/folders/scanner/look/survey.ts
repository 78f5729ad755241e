import type { IndexedKind } from "../../../../events/frames/folders.ts";
import { scoutsIgnoreFile } from "../../../access/policy/protected.ts";
import { isProjectFilesError, ProjectFilesError } from "../../../files/errors.ts";
import type { FileMetadata } from "../../../files/file-metadata.ts";
import { comparePaths, nameOf, parentOf } from "../../../files/paths/project-path.ts";
import type { ProjectFiles } from "../../../files/project-files.ts";
import type { WalkOptions } from "../../../files/walk/walk-types.ts";
import { extensionOf, kindOfName } from "../kinds.ts";
import type { ScanLimits } from "../limits.ts";
import type { ReadingRules } from "../reading-rules.ts";
import type { DirectoryTallies } from "./tally.ts";

/** Git's own folder is nobody's documents. */
const skippedNames = [".git"];
const progressEvery = 1_000;

/** A file that is new, or may have changed. */
export interface Candidate {
  readonly path: string;
  readonly kind: IndexedKind;
  readonly metadata: FileMetadata;
  readonly isKnown: boolean;
}

export interface Survey {
  readonly candidates: readonly Candidate[];
  /** Paths of the manifest that are there no more, or no longer to be read. */
  readonly missing: readonly string[];
  readonly unchanged: number;
  /** Folders that could not be read, and files that were gone before they could be looked at. */
  readonly unseen: number;
  /** What ended the survey before the last file; paths beyond are neither looked at nor missing. */
  readonly limitedBy: "time" | "entries" | undefined;
}

export interface SurveyOptions {
  readonly files: ProjectFiles;
  /** Stored version of every path of the manifest; consumed. */
  readonly known: Map<string, string>;
  readonly rules: ReadingRules;
  /** The manifest's rows were decided under these very rules. */
  readonly rulesHold: boolean;
  readonly limits: ScanLimits;
  readonly tallies: DirectoryTallies;
  /** Only this directory and those below it that `enters` does not refuse; the root and all when left out. */
  readonly under?: string;
  readonly enters?: (directory: string) => boolean;
  /** Files of the manifest that lie elsewhere and count towards its limit. */
  readonly filesElsewhere?: number;
  readonly signal?: AbortSignal | undefined;
  readonly onEntries?: ((count: number) => void) | undefined;
  readonly onDirectory?: WalkOptions["onDirectory"];
}

/**
 * Walks the folder and compares what is there with what is known, by metadata alone; nothing is opened.
 *
 * @throws ProjectFilesError NotFound when the folder is gone, AccessDenied, Cancelled, StorageFailed
 */
export async function survey(options: SurveyOptions): Promise<Survey> {
  const { files, known, rules, rulesHold, limits, tallies, signal, onEntries, onDirectory } = options;
  const { under, enters, filesElsewhere = 0 } = options;
  const startedAtMs = performance.now();
  const walk = files.walk({
    withMetadata: true,
    ownIgnoreFile: scoutsIgnoreFile,
    skipNames: skippedNames,
    maxFiles: limits.maxEntries,
    onLeftOut: (directory, countedAs) => tallies.addEntry(directory, countedAs),
    ...(under !== undefined && { under }),
    enters(directory) {
      if (rules.enters(directory)) return enters?.(directory) !== false;
      tallies.in(parentOf(directory)).add("own_data");
      return false;
    },
    ...(onDirectory && { onDirectory }),
    ...(signal && { signal }),
  });
  const candidates: Candidate[] = [];
  let [entries, unchanged] = [0, 0];
  let cursor: string | undefined;
  let limitedBy: Survey["limitedBy"];
  for await (const { path, metadata } of walk) {
    if (++entries % progressEvery === 0) {
      onEntries?.(entries);
      if (performance.now() - startedAtMs > limits.maxDurationMs) {
        limitedBy = "time";
        break;
      }
    }
    cursor = path;
    if (metadata === undefined) continue;
    if (rulesHold && known.get(path) === metadata.version) {
      known.delete(path);
      unchanged++;
      continue;
    }
    const name = nameOf(path);
    const extension = extensionOf(name);
    const kind = kindOfName(name, extension);
    if (kind === undefined) {
      const tally = tallies.in(parentOf(path));
      if (rules.leavesOut(path) === "secret") tally.add("secret");
      else tally.addUnsupported(extension);
      continue;
    }
    const omission = rules.leavesOut(path) ?? overLimit(path, filesElsewhere + candidates.length + unchanged, limits);
    if (omission !== undefined) {
      tallies.in(parentOf(path)).add(omission);
      continue;
    }
    candidates.push({ path, kind, metadata, isKnown: known.delete(path) });
  }
  if (walk.omitted.limited) limitedBy = "entries";
  tallies.in(under ?? "").add("vanished", walk.omitted.vanished);
  tallies.in(under ?? "").add("unreadable_folders", walk.omitted.unreadable);
  const looked = [...known.keys()].filter(
    (path) => limitedBy === undefined || (cursor !== undefined && comparePaths(path, cursor) <= 0),
  );
  const missing = walk.omitted.unreadable > 0 ? await withoutUnreadable(files, looked) : looked;
  const unseen = walk.omitted.unreadable + walk.omitted.vanished;
  return { candidates, missing, unchanged, unseen, limitedBy };
}

function overLimit(path: string, files: number, limits: ScanLimits): "too_deep" | "too_many" | undefined {
  if (files >= limits.maxFiles) return "too_many";
  // Counting separators is enough: a canonical path has no empty segments.
  return path.split("/").length > limits.maxDepth ? "too_deep" : undefined;
}

/** A folder that cannot be read just now says nothing about the files in it. */
async function withoutUnreadable(files: ProjectFiles, paths: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const path of paths) {
    if (!(await isHidden(files, path))) missing.push(path);
  }
  return missing;
}

async function isHidden(files: ProjectFiles, path: string): Promise<boolean> {
  try {
    await files.metadata(path);
  } catch (error) {
    if (isProjectFilesError(error, "AccessDenied")) return true;
    if (!(error instanceof ProjectFilesError)) throw error;
    return false;
  }
  // It can be seen, so it is the folder's listing or its ignore file that could not be read.
  return !(await canList(files, path));
}

async function canList(files: ProjectFiles, path: string): Promise<boolean> {
  for (let at = path.lastIndexOf("/"); at !== -1; at = path.lastIndexOf("/", at - 1)) {
    try {
      await files.listDir(path.slice(0, at));
    } catch (error) {
      if (isProjectFilesError(error, "AccessDenied")) return false;
      if (!(error instanceof ProjectFilesError)) throw error;
    }
  }
  return true;
}
