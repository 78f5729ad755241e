import { type IndexUpdate, isIndexComplete, updateIndex } from "../../knowledge/index/update-index.ts";
import { shapeOf } from "../../knowledge/text/passages.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { StartedScan } from "../scanner/start-scan.ts";
import type { Preparation, Preparer } from "./prepare.ts";

/** What was read for the index is kept for its summary, up to so many characters of excerpts: some 8,000 files. */
const maxKeptCharacters = 32 * 1024 * 1024;

export interface IndexScanOptions {
  readonly store: DeviceStore;
  readonly scan: StartedScan;
  readonly preparer: Preparer;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress: (progress: { done: number; total: number }) => void;
}

/**
 * Puts what a scan has found into the index.
 *
 * @returns what was done, if there was anything to do; and a preparer that does not read again what was read for it
 * @throws ProjectFilesError as {@link Preparer.prepare}
 */
export async function indexScan(
  options: IndexScanOptions,
): Promise<{ readonly index?: IndexUpdate; readonly remembered: Preparer }> {
  const { store, scan, preparer, signal, onProgress } = options;
  const { project, result } = scan;
  const changes = [result.newFiles, result.changedFiles, result.renamedFiles, result.deletedFiles];
  if (changes.every(({ length }) => length === 0) && isIndexComplete(store, project.id))
    return { remembered: preparer };
  const toSend = new Set(result.toSummarize.map(({ relPath }) => relPath));
  const kept = new Map<string, Preparation>();
  let characters = 0;
  const index = await updateIndex({
    store,
    projectId: project.id,
    holds: scan.holds,
    onProgress,
    async readText(file, tag) {
      const forIndexOnly = !toSend.has(file.relPath) || characters > maxKeptCharacters;
      const shape = shapeOf(file.relPath, tag);
      const prepared = await preparer.prepare(file, signal, { shape, forIndexOnly });
      if (prepared.outcome === "changed") return "changed";
      if (prepared.outcome === "skipped") {
        if (!forIndexOnly) kept.set(file.relPath, prepared);
        return "none";
      }
      const { indexed, ...rest } = prepared;
      if (!forIndexOnly) {
        kept.set(file.relPath, rest);
        characters += rest.file.content.length;
      }
      return indexed ?? "none";
    },
  });
  const remembered: Preparer = {
    async prepare(file, until, wanted) {
      const known = kept.get(file.relPath);
      kept.delete(file.relPath);
      return known ?? preparer.prepare(file, until, wanted);
    },
    close: () => preparer.close(),
  };
  return { index, remembered };
}
