import { setImmediate as nextTurn } from "node:timers/promises";
import type { ProjectId, RunId } from "../../../events/ids.ts";
import { tagsOf } from "../../access/policy/sensitivity.ts";
import { DeviceError } from "../../errors.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import type { FolderFile, ScoutRunAction } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { ScannedFile } from "../../store/tables/manifest/scanned-files.ts";
import type { Examined } from "./examine.ts";
import { timesOf } from "./file-times.ts";
import { extensionOf } from "./kinds.ts";

/** Each transaction is flushed to the disk; many short ones would take minutes, a long one would hold everything up. */
const batchSize = 1_000;

export interface Changes {
  readonly newFiles: string[];
  readonly changedFiles: string[];
  readonly renamedFiles: { readonly from: string; readonly to: string }[];
  readonly deletedFiles: string[];
  /** Read again and found as they were. */
  sameFiles: number;
}

export interface ApplyOptions {
  readonly store: DeviceStore;
  readonly projectId: ProjectId;
  readonly runId: RunId;
  /** Of the scan; nothing is written once it no longer holds the project. */
  readonly holder: string;
  readonly missing: readonly string[];
  /** Whether the manifest had any rows when the scan began. */
  readonly hasManifest: boolean;
}

/**
 * Brings the manifest up to date. A file that was moved or copied brings its summary along.
 *
 * @throws DeviceError `scan_superseded`
 */
export async function apply(examined: readonly Examined[], options: ApplyOptions): Promise<Changes> {
  const changes: Changes = { newFiles: [], changedFiles: [], renamedFiles: [], deletedFiles: [], sameFiles: 0 };
  const missing = new Set(options.missing);
  await inBatches(examined, options, (each, put) => applyOne(each, options, missing, changes, put));
  await inBatches([...missing], options, (path) => {
    options.store.folderFiles.remove(options.projectId, path);
    changes.deletedFiles.push(path);
    return { action: "removed", relativePath: path, fromPath: null, code: null };
  });
  return changes;
}

async function inBatches<T>(
  all: readonly T[],
  { store, projectId, runId, holder, hasManifest }: ApplyOptions,
  work: (each: T, put: (row: ScannedFile) => void) => ScoutRunAction | undefined,
): Promise<void> {
  for (let start = 0; start < all.length; start += batchSize) {
    store.transaction(() => {
      if (!store.projects.holdsScan(projectId, holder)) throw new DeviceError("scan_superseded");
      const added: ScannedFile[] = [];
      // Only the holder of the project writes its rows: of those that were not there none has come since, but its own.
      const put = (row: ScannedFile) => (hasManifest ? store.folderFiles.put(projectId, row) : void added.push(row));
      const actions = all.slice(start, start + batchSize).flatMap((each) => work(each, put) ?? []);
      store.folderFiles.addAll(projectId, added);
      store.scoutRuns.addActions(runId, actions);
    });
    await nextTurn();
  }
}

function applyOne(
  examined: Examined,
  { store, projectId }: ApplyOptions,
  missing: Set<string>,
  changes: Changes,
  put: (row: ScannedFile) => void,
): ScoutRunAction | undefined {
  const { candidate, known } = examined;
  const path = candidate.path;
  const done = (action: ScoutRunAction["action"], more: Partial<ScoutRunAction> = {}): ScoutRunAction => ({
    action,
    relativePath: path,
    fromPath: null,
    code: null,
    ...more,
  });

  if (examined.outcome === "same") {
    store.folderFiles.touch(projectId, path, timesOf(examined.metadata, examined.readAtMs));
    changes.sameFiles++;
    return undefined;
  }
  if (examined.outcome === "vanished") {
    if (known === undefined) return undefined;
    store.folderFiles.remove(projectId, path);
    changes.deletedFiles.push(path);
    return done("removed");
  }
  if (examined.outcome === "skipped") {
    put(skippedRow(examined));
    if (known?.skipReason !== examined.reason) return done("skipped", { code: examined.reason });
    changes.sameFiles++;
    return undefined;
  }

  const moved = known === undefined ? pickMoved(examined.donors, path, missing) : undefined;
  const donor = moved ?? examined.donors.find(({ summaryHash }) => summaryHash === examined.hash);
  if (moved !== undefined) {
    missing.delete(moved.relativePath);
    store.folderFiles.move(projectId, moved.relativePath, path);
  }
  put(contentRow(examined));
  if (donor?.summaryHash === examined.hash) store.folderFiles.copySummary(donor, path);

  if (moved !== undefined) {
    changes.renamedFiles.push({ from: moved.relativePath, to: path });
    return done("renamed", { fromPath: moved.relativePath });
  }
  if (known !== undefined) {
    changes.changedFiles.push(path);
    return done("changed");
  }
  changes.newFiles.push(path);
  return donor === undefined ? done("added") : done("copied", { fromPath: donor.relativePath });
}

/** The file that is no longer where it was and has this content; of several, one that had the same name. */
function pickMoved(donors: readonly FolderFile[], path: string, missing: ReadonlySet<string>): FolderFile | undefined {
  const gone = donors.filter(({ relativePath }) => missing.has(relativePath));
  return gone.find(({ relativePath }) => nameOf(relativePath) === nameOf(path)) ?? gone[0];
}

function describedRow(path: string): Pick<ScannedFile, "relativePath" | "ext" | "tag"> {
  return { relativePath: path, ext: extensionOf(nameOf(path)), tag: tagsOf(path)[0] ?? null };
}

function contentRow(examined: Extract<Examined, { outcome: "content" }>): ScannedFile {
  const { candidate, metadata, readAtMs, hash } = examined;
  const facts = { kind: candidate.kind, contentHash: hash, skipReason: null };
  return { ...describedRow(candidate.path), ...timesOf(metadata, readAtMs), ...facts };
}

/** What is left out for its size stays so until the size changes; everything else is tried again by the next scan. */
function skippedRow({ candidate, reason, readAtMs }: Extract<Examined, { outcome: "skipped" }>): ScannedFile {
  const times = timesOf(candidate.metadata, readAtMs);
  const isLasting = reason === "too_large" || reason === "empty";
  const facts = { kind: "skipped", contentHash: null, skipReason: reason } as const;
  return { ...describedRow(candidate.path), ...times, version: isLasting ? times.version : "", ...facts };
}
