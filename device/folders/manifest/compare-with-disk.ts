import type { ProjectId } from "../../../events/ids.ts";
import type { PersonalRules } from "../../access/policy/rules.ts";
import type { FileMetadata } from "../../files/file-metadata.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { FolderFile } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { scanLimits } from "../scanner/limits.ts";
import { look } from "../scanner/look/look.ts";
import { readingRules } from "../scanner/reading-rules.ts";
import type { FileState } from "./manifest-file.ts";

/** Looking is cut short after this long: a prompt waits for it. Files beyond count as they were scanned. */
const maxDurationMs = 3_000;

/** What is seen here is not kept for another look, so no ignore file was changed too shortly before. */
const asIfLongAgo = () => Number.POSITIVE_INFINITY;

export interface DiskComparison {
  /** Of paths that are not `current`. */
  readonly states: ReadonlyMap<string, FileState>;
  /** Whether a scan would change the manifest: files are stale, gone or new. */
  readonly wantsScan: boolean;
}

/**
 * Compares a manifest with its folder by metadata alone; nothing is opened.
 *
 * @throws ProjectFilesError NotFound when the folder is gone, AccessDenied, StorageFailed
 * @throws AccessError `denied`: the project's own access rules cannot be understood
 */
export async function compareWithDisk(
  store: DeviceStore,
  files: ProjectFiles,
  projectId: ProjectId,
  personalRules?: PersonalRules,
): Promise<DiskComparison> {
  const rules = await readingRules(files, personalRules, store.dataFolder);
  const limits = { ...scanLimits, maxDurationMs };
  const { found } = await look({ store, files, projectId, rules, limits, now: asIfLongAgo });
  const { candidates, missing } = found;
  const states = new Map<string, FileState>(missing.map((path) => [path, "gone"]));
  let isNew = false;
  for (const { path, metadata, isKnown } of candidates) {
    const row = isKnown ? store.folderFiles.find(projectId, path) : undefined;
    if (row === undefined) isNew = true;
    else if (differs(row, metadata)) states.set(path, "stale");
  }
  return { states, wantsScan: isNew || states.size > 0 };
}

/** A row whose version is empty is not relied upon by scans (file-times.ts); size and time still tell of most changes. */
function differs(row: FolderFile, { sizeBytes, mtimeMs, version }: FileMetadata): boolean {
  if (row.version === version) return false;
  return row.version !== "" || row.sizeBytes !== sizeBytes || row.mtimeMs !== mtimeMs;
}
