import type { IndexedKind } from "../../../events/frames/folders.ts";
import type { ProjectId, RunId } from "../../../events/ids.ts";
import type { PersonalRules } from "../../access/policy/rules.ts";
import { ProjectFilesError } from "../../files/errors.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { DeviceStore } from "../../store/open.ts";
import { apply, type Changes } from "./apply.ts";
import { refuseEmptied, withRootInode } from "./emptied.ts";
import { estimateTokens } from "./estimate-tokens.ts";
import { type Examined, examine } from "./examine.ts";
import { kindOfName } from "./kinds.ts";
import { type ScanLimits, scanLimits } from "./limits.ts";
import { look } from "./look/look.ts";
import type { Survey } from "./look/survey.ts";
import { Tally } from "./look/tally.ts";
import { readingRules } from "./reading-rules.ts";
import { isSkipReason, type LeftOut } from "./reasons.ts";

export interface ScanProgress {
  /** `look`: entries looked at, of unknown many. `read`: files read, of those that may have changed. */
  readonly phase: "look" | "read";
  readonly done: number;
  readonly total?: number;
}

/** A file that wants a summary. */
export interface FileToSummarize {
  readonly relPath: string;
  readonly kind: IndexedKind;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** SHA-256, hex. */
  readonly contentHash: string;
  /** Guessed from type and size, without opening the file. */
  readonly estimatedTokens: number;
}

export interface ScanResult extends Omit<Changes, "sameFiles"> {
  /** Everything left out, counted by reason. */
  readonly skipped: LeftOut;
  /** Files whose content is as it was, skipped ones among them. */
  readonly unchanged: number;
  /** Rows of the manifest, skipped ones among them. */
  readonly totalFiles: number;
  /** Files whose summary is missing, stale or failed; of files with the same content only one. */
  readonly toSummarize: readonly FileToSummarize[];
  readonly limitedBy: Survey["limitedBy"];
}

export interface ScanOptions {
  readonly store: DeviceStore;
  readonly files: ProjectFiles;
  readonly projectId: ProjectId;
  readonly runId: RunId;
  /** Of the scan that holds the project; see `startScan`. */
  readonly holder: string;
  /** The person's own rules about what may be read. */
  readonly rules?: PersonalRules | undefined;
  readonly limits?: ScanLimits;
  readonly now: () => number;
  readonly platform?: NodeJS.Platform;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ScanProgress) => void) | undefined;
}

const progressEvery = 100;

/**
 * Brings the manifest of a linked folder up to date and says what is to be summarised. Files whose size, times and inode
 * are as they were are not opened.
 *
 * @throws ProjectFilesError RootGone (the folder is gone), AccessDenied, Cancelled, StorageFailed
 * @throws AccessError `denied`: the project's own access rules cannot be understood
 * @throws DeviceError `scan_superseded`; `folder_not_found` as {@link refuseEmptied}
 */
export async function scanProject(options: ScanOptions): Promise<ScanResult> {
  const { store, files, projectId, holder, signal, onProgress } = options;
  const { limits = scanLimits, now, platform = process.platform } = options;
  const { inode: rootInode } = await files.metadata("");
  const rules = await readingRules(files, options.rules, store.dataFolder);
  const hasManifest = store.folderFiles.total(projectId) > 0;
  const onEntries = (done: number) => onProgress?.({ phase: "look", done });
  const looked = await look({ store, files, projectId, rules, limits, now, signal, onEntries });
  const { found, basis, directories } = looked;
  const tally = new Tally(limits.maxCountedTypes);
  tally.addAll(looked.leftOut);
  if (looked.isAsItWas) return unchangedFolder(store, projectId, tally);
  if (found.missing.length > 0) await refuseEmptied({ store, files, projectId, rootInode });

  const examined: Examined[] = [];
  let vanished = 0;
  const total = found.candidates.length;
  const reading = { files, projectId, folderFiles: store.folderFiles, hasManifest, limits, now, platform, signal };
  for await (const each of examine(found.candidates, reading)) {
    examined.push(each);
    if (each.outcome === "vanished") vanished++;
    if (examined.length % progressEvery === 0 || examined.length === total) {
      onProgress?.({ phase: "read", done: examined.length, total });
    }
  }

  tally.add("vanished", vanished);

  // Of a folder that was removed or unmounted meanwhile every file seems to be gone.
  if ((await files.metadata("")).inode !== rootInode) throw new ProjectFilesError("RootGone");
  // Should this end before a new one is stored, the old one must not vouch for half of what is applied now.
  store.folderSnapshots.remove(projectId);
  const { sameFiles, ...changes } = await apply(examined, { ...options, missing: found.missing, hasManifest });
  // A survey that was cut short has not decided about every row under these rules.
  const isNewRule = store.projects.get(projectId).scanRulesHash !== rules.hash;
  if (isNewRule && found.limitedBy === undefined) store.projects.setRulesHash(projectId, rules.hash);
  if (directories !== undefined && vanished === 0) {
    const snapshot = { basis, directories: withRootInode(directories, rootInode), leftOut: looked.leftOut };
    store.transaction(() => {
      if (store.projects.holdsScan(projectId, holder)) store.folderSnapshots.put(projectId, snapshot);
    });
  }
  return {
    ...changes,
    skipped: withSkipped(store, projectId, tally),
    unchanged: found.unchanged + sameFiles,
    totalFiles: store.folderFiles.total(projectId),
    toSummarize: filesToSummarize(store, projectId),
    limitedBy: found.limitedBy,
  };
}

/** What a scan says of a folder that is as the last one left it. */
function unchangedFolder(store: DeviceStore, projectId: ProjectId, tally: Tally): ScanResult {
  const totalFiles = store.folderFiles.total(projectId);
  return {
    newFiles: [],
    changedFiles: [],
    renamedFiles: [],
    deletedFiles: [],
    skipped: withSkipped(store, projectId, tally),
    unchanged: totalFiles,
    totalFiles,
    toSummarize: filesToSummarize(store, projectId),
    limitedBy: undefined,
  };
}

/** What is not in the manifest, and what is in it as skipped. */
function withSkipped(store: DeviceStore, projectId: ProjectId, tally: Tally): LeftOut {
  for (const [reason, count] of Object.entries(store.folderFiles.skipped(projectId))) {
    if (isSkipReason(reason)) tally.add(reason, count);
  }
  return tally.total();
}

/** The files of a manifest that want a summary; of those with the same content the first, for its summary is all's. */
export function filesToSummarize(store: DeviceStore, projectId: ProjectId): FileToSummarize[] {
  const wanted = new Map<string, FileToSummarize>();
  for (const { relativePath, sizeBytes, mtimeMs, contentHash } of store.folderFiles.unsummarized(projectId)) {
    const kind = kindOfName(nameOf(relativePath));
    if (kind === undefined || contentHash === null) continue;
    const key = `${kind} ${contentHash}`;
    if (wanted.has(key)) continue;
    const estimatedTokens = estimateTokens(kind, sizeBytes);
    wanted.set(key, {
      relPath: relativePath,
      kind,
      sizeBytes,
      mtimeMs: Math.trunc(mtimeMs),
      contentHash,
      estimatedTokens,
    });
  }
  return [...wanted.values()];
}
