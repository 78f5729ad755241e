import { type ProjectId, runId } from "../../../events/ids.ts";
import { DeviceError, isDeviceError } from "../../errors.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import { readerOf, readersNow } from "../../folders/extraction/reader-versions.ts";
import { estimateTokens } from "../../folders/scanner/estimate-tokens.ts";
import { kindOfName } from "../../folders/scanner/kinds.ts";
import type { FileToSummarize } from "../../folders/scanner/scan-project.ts";
import type { FolderFile, ScoutAction } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";
import type { IndexedText } from "../text/indexed-text.ts";
import { completeQuery, purgedQuery, readersQuery, throughQuery } from "./index-facts.ts";
import { indexPath, openIndexToRead, removeIndexFile } from "./index-file.ts";
import { IndexThread } from "./index-thread.ts";
import type { IndexedDocument } from "./index-writer.ts";

/** Files read at the same time. */
const inFlight = 2;
/** What is written in one transaction, by the first that is reached: FTS5 writes a segment at its end, and merges segments later. */
const maxBatchFiles = 100;
const maxBatchChars = 8_000_000;

/** How an update ended. What went wrong is told and stops nothing else: the manifest is there all the same. */
export interface IndexUpdate {
  /** Files whose text or name was put in. */
  readonly indexed: number;
  readonly removed: number;
  /** What was there could not be used, and was made anew. */
  readonly wasRebuilt: boolean;
  /** Why it is not complete; the next scan goes on from there. */
  readonly problem?: DeviceError;
}

/** The text of a file that is in the manifest; undefined when the file is another by now. @throws ProjectFilesError */
export type ReadText = (file: FileToSummarize, tag: string | null) => Promise<IndexedText | "none" | "changed">;

export interface UpdateOptions {
  readonly store: DeviceStore;
  readonly projectId: ProjectId;
  readonly readText: ReadText;
  /** False when nothing may be stored any more: the folder was unlinked, or another scan took over. */
  readonly holds: () => boolean;
  readonly onProgress?: ((progress: { done: number; total: number }) => void) | undefined;
}

/** What a run may have done to a file that its index does not know of yet. */
const changes: readonly ScoutAction[] = ["added", "changed", "renamed", "copied", "removed"];

/**
 * Whether an index holds all of its manifest, and nothing else in any byte of it. What a scan has changed may have got no
 * further than the manifest, when it was interrupted then.
 */
export const isIndexComplete = (store: DeviceStore, projectId: ProjectId): boolean =>
  says(
    store,
    projectId,
    (fact) =>
      fact(completeQuery) === "1" &&
      isThrough(store, projectId, fact(throughQuery), [...changes, "skipped"]) &&
      fact(purgedQuery) !== "0" &&
      fact(readersQuery) === readersNow,
  );

/** Whether an index lacks files that scans have found. Not where there is none, and not of a file that is withheld by now. */
export const isBehind = (store: DeviceStore, projectId: ProjectId): boolean =>
  says(store, projectId, (fact) => {
    const through = fact(throughQuery);
    // A program of before has finished it.
    return through === undefined ? fact(completeQuery) !== "1" : !isThrough(store, projectId, through, changes);
  });

const isThrough = (
  { scoutRuns }: DeviceStore,
  projectId: ProjectId,
  through: unknown,
  of: readonly ScoutAction[],
): boolean => {
  const run = runId.safeParse(through);
  return run.success && !scoutRuns.hasChangedAfter(projectId, run.data, of);
};

/** Whether something in an index was read by an older reader than this program's. */
export const isReadByOlder = (store: DeviceStore, projectId: ProjectId): boolean =>
  says(store, projectId, (fact) => fact(readersQuery) !== readersNow);

/** What an index says of itself; false where there is none, and of a damaged one, which the next scan makes anew. */
function says(store: DeviceStore, projectId: ProjectId, is: (fact: (query: string) => unknown) => boolean): boolean {
  try {
    const connection = openIndexToRead(indexPath(store.dataFolder, projectId));
    try {
      return connection !== undefined && is((query) => storeCall(() => connection.prepare(query).get()?.["value"]));
    } finally {
      connection?.close();
    }
  } catch (error) {
    if (isDeviceError(error)) return false;
    throw error;
  }
}

/**
 * Brings a project's index to what its manifest says: files that are new or another are read, once, and those that are gone
 * or withheld leave every byte of it. What was done before a crash stays done.
 *
 * @throws ProjectFilesError Cancelled, NotFound, StorageFailed, as reading does
 */
export async function updateIndex(options: UpdateOptions): Promise<IndexUpdate> {
  const { store, projectId } = options;
  const path = indexPath(store.dataFolder, projectId);
  const run = async () => {
    const update = new Update(options, new IndexThread(path));
    try {
      return await update.run();
    } finally {
      await update.close();
    }
  };
  try {
    const result = await run();
    if (!isDeviceError(result.problem, "store_unreadable")) return result;
    // Damage that opening it did not show. All that is in it is in the files.
    removeIndexFile(path);
    return { ...(await run()), wasRebuilt: true };
  } finally {
    // Unlinked meanwhile: whoever did it has removed the file, which this may have made again.
    if (store.projects.find(projectId)?.folderPath == null) removeIndexFile(path);
  }
}

/** Has the summaries found that a manifest has by now. Nothing is read. @returns why that could not be */
export async function updateSummaries(
  about: Pick<UpdateOptions, "store" | "projectId">,
): Promise<DeviceError | undefined> {
  const { store, projectId } = about;
  const thread = new IndexThread(indexPath(store.dataFolder, projectId));
  try {
    const { documents } = await thread.ask({ do: "known" });
    const said = store.folderFiles
      .list(projectId)
      .map((row) => ({ path: row.relativePath, about: aboutOf(row) }))
      .filter(({ path, about }) => documents.has(path) && documents.get(path)?.about !== about);
    for (let at = 0; at < said.length; at += maxBatchFiles) {
      await thread.ask({ do: "setAbout", said: said.slice(at, at + maxBatchFiles) });
    }
    await thread.close();
    return undefined;
  } catch (error) {
    await thread.end();
    if (!isDeviceError(error)) throw error;
    return error;
  }
}

class Update {
  readonly #options: UpdateOptions;
  readonly #thread: IndexThread;
  #batch: IndexedDocument[] = [];
  /** Files of the batch that have a text now and had none. */
  readonly #readable: FolderFile[] = [];
  #chars = 0;
  #indexed = 0;
  #left = 0;

  constructor(options: UpdateOptions, thread: IndexThread) {
    this.#options = options;
    this.#thread = thread;
  }

  async run(): Promise<IndexUpdate> {
    let wasRebuilt = false;
    let removed: string[] = [];
    try {
      const { documents, wasDamaged, isPurged } = await this.#thread.ask({ do: "known" });
      wasRebuilt = wasDamaged;
      const { store, projectId } = this.#options;
      const through = store.scoutRuns.list(projectId, 1)[0]?.id;
      const rows = store.folderFiles.list(projectId);
      const there = new Set(rows.map(({ relativePath }) => relativePath));
      removed = [...documents.keys()].filter((path) => !there.has(path));
      // First of all: what may not be found any more is not to wait for what is new.
      if (removed.length > 0) {
        await this.#thread.ask({ do: "remove", paths: removed });
        store.answers.forgetFiles(projectId, removed);
      }
      // Where a reader held the log, the index says so, and the next look or scan does it.
      if (removed.length > 0 || !isPurged) await this.#thread.ask({ do: "purge" });
      const wanted = rows.filter((row) => {
        const known = documents.get(row.relativePath);
        return known?.hash !== hashOf(row) || known.reader < readerOf(row.relativePath);
      });
      if (wanted.length > 0 || removed.length > 0) await this.#takeAll(wanted);
      const isComplete = this.#left === 0;
      await this.#thread.ask({ do: "finish", isComplete, readers: readersNow, ...(isComplete && { through }) });
      await this.#thread.close();
      return { indexed: this.#indexed, removed: removed.length, wasRebuilt };
    } catch (error) {
      if (!isDeviceError(error)) throw error;
      return { indexed: this.#indexed, removed: removed.length, wasRebuilt, problem: error };
    }
  }

  /** What could not be written was told by the order that failed; what is committed stays. */
  close(): Promise<void> {
    return this.#thread.end();
  }

  async #takeAll(wanted: readonly FolderFile[]): Promise<void> {
    const { onProgress } = this.#options;
    let next = 0;
    let done = 0;
    const takeOneByOne = async () => {
      for (let row = wanted[next++]; row !== undefined; row = wanted[next++]) {
        try {
          await this.#take(row);
        } catch (error) {
          next = wanted.length;
          throw error;
        }
        done++;
        onProgress?.({ done, total: wanted.length });
      }
    };
    // All have stopped before the index is closed.
    const ends = await Promise.allSettled(Array.from({ length: inFlight }, takeOneByOne));
    const failed = ends.find((end) => end.status === "rejected");
    if (failed) throw failed.reason;
    await this.#flush();
  }

  async #take(row: FolderFile): Promise<void> {
    const text = await this.#textOf(row);
    if (text === "changed") {
      this.#left++;
      return;
    }
    const { relativePath: path, kind, ext, sizeBytes, mtimeMs } = row;
    const found = text === "none" ? null : text;
    // An older reader found nothing to say of it.
    if (kind === "skipped" && found !== null) this.#readable.push(row);
    this.#batch.push({
      path,
      hash: hashOf(row),
      kind,
      tag: row.tag ?? "",
      ext,
      about: aboutOf(row),
      sizeBytes,
      mtimeMs,
      text: found,
      reader: readerOf(path),
    });
    this.#chars += found?.chars ?? 0;
    if (this.#batch.length >= maxBatchFiles || this.#chars >= maxBatchChars) await this.#flush();
  }

  async #textOf(row: FolderFile): Promise<IndexedText | "none" | "changed"> {
    const { relativePath: relPath, sizeBytes, contentHash, tag } = row;
    const kind = kindOfName(nameOf(relPath));
    if (kind === undefined || kind === "image" || contentHash === null) return "none";
    const mtimeMs = Math.trunc(row.mtimeMs);
    const estimatedTokens = estimateTokens(kind, sizeBytes);
    return this.#options.readText({ relPath, kind, sizeBytes, mtimeMs, contentHash, estimatedTokens }, tag);
  }

  async #flush(): Promise<void> {
    const documents = this.#batch;
    this.#batch = [];
    this.#chars = 0;
    if (documents.length === 0) return;
    if (!this.#options.holds()) throw new DeviceError("scan_superseded");
    const { store, projectId } = this.#options;
    for (const { relativePath, contentHash } of this.#readable.splice(0)) {
      const kind = kindOfName(nameOf(relativePath));
      if (kind !== undefined && contentHash !== null)
        store.folderFiles.setReadable(projectId, relativePath, contentHash, kind);
    }
    await this.#thread.ask({ do: "put", documents });
    this.#indexed += documents.length;
  }
}

/** A file that was never read is in by its name. */
const hashOf = ({ contentHash }: FolderFile): string => contentHash ?? "";

/** What a manifest says of a file whose content it knows. */
function aboutOf({ kind, summary }: FolderFile): string {
  return kind === "skipped" ? "" : (summary ?? "");
}
