import type { Database } from "../../sqlite/sqlite.ts";
import { type FileSummaries, fileSummaries } from "./file-summaries.ts";
import { type KeptFiles, keptFiles } from "./kept-files.ts";
import { type ScannedFiles, scannedFiles } from "./scanned-files.ts";

/** The manifests. Every method is one transaction unless it runs inside another. */
export interface FolderFileTable extends KeptFiles, ScannedFiles, FileSummaries {}

/**
 * All that the device keeps of the files of folders, over one database.
 *
 * @param now milliseconds since the epoch
 * @param summedOnce runs what puts new rows into this table, and sums them afterwards
 */
export function folderFileTable(
  db: Database,
  now: () => number,
  summedOnce: (insert: () => void) => void,
): FolderFileTable {
  return { ...keptFiles(db), ...scannedFiles(db, summedOnce), ...fileSummaries(db, now) };
}
