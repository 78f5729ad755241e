import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import { indexId } from "../../../events/ids.ts";
import type { Clock } from "../../connection/clock.ts";
import type { ContentChannel } from "../../connection/content/content-channel.ts";
import { DeviceError, isDeviceError } from "../../errors.ts";
import type { ScoutAction } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { asScanError } from "../scanner/scan-error.ts";
import type { FileToSummarize } from "../scanner/scan-project.ts";
import type { StartedScan } from "../scanner/start-scan.ts";
import { canBeSent } from "./batches.ts";
import type { FileToSend } from "./file-to-send.ts";
import { type FileResult, IndexSession, isLimit } from "./index-session.ts";
import type { Preparation } from "./prepare.ts";

export interface IndexCounts {
  /** Files that have a summary now and had none; copies of a file share its. */
  readonly summarized: number;
  /** Files whose summary failed; the next scan tries again. */
  readonly failed: number;
  /** Files nothing can be said of. */
  readonly unreadable: number;
  readonly tokensUsed: number;
}

export interface IndexEnd {
  readonly status: "completed" | "cancelled" | "quota_exceeded" | "error";
  /** Why it is not `completed`: the device's error or the cloud's. */
  readonly error?: Error;
  readonly counts: IndexCounts;
}

export interface IndexFolderOptions {
  readonly store: DeviceStore;
  readonly scan: StartedScan;
  /** Of the scan, in the order in which they are to be sent. */
  readonly files: readonly FileToSummarize[];
  readonly channel: ContentChannel;
  readonly prepare: (file: FileToSummarize) => Promise<Preparation>;
  readonly signal?: AbortSignal | undefined;
  readonly clock: Clock;
  readonly onProgress?: ((progress: { done: number; total: number; tokens: number }) => void) | undefined;
}

/**
 * Has the files of a scan summarised. Each result is stored as it comes, so whatever ends this leaves the manifest as far
 * as it got, and the next scan asks for the rest only.
 *
 * @returns with DeviceError `scan_interrupted` (the signal fired), `scan_superseded`, `connection_lost`, `answer_overdue`,
 * …, or ScoutsError with the cloud's code, `folder_max_files`, `session_ended` among them
 */
export async function indexFolder(options: IndexFolderOptions): Promise<IndexEnd> {
  const { scan, files, channel, signal, clock } = options;
  const results = new StoredResults(options);
  const session = new IndexSession({
    channel,
    id: indexId.parse(`idx_${options.store.newId()}`),
    projectId: scan.project.id,
    totalFiles: files.length,
    clock,
    onResult: (file, result) => results.take(file, result),
  });
  const interrupt = () => session.fail(new DeviceError("scan_interrupted"));
  signal?.addEventListener("abort", interrupt, { once: true });
  if (signal?.aborted) interrupt();
  try {
    await session.start();
    await sendAll(session, results, options);
    await session.flush();
    const { limit } = session;
    if (limit !== undefined) return { status: "quota_exceeded", error: new ScoutsError(limit), counts: results.counts };
    await session.finish();
    return { status: "completed", counts: results.counts };
  } catch (thrown) {
    const error = isScoutsError(thrown) ? thrown : asScanError(thrown, scan.project.folderPath ?? "");
    session.fail(error);
    await session.cancel();
    const status = isDeviceError(error, "scan_interrupted") ? "cancelled" : "error";
    return { status, error, counts: results.counts };
  } finally {
    signal?.removeEventListener("abort", interrupt);
    session.stop();
  }
}

/** Until all are sent, or the cloud takes no more. What cannot be sent is stored as such. */
async function sendAll(
  session: IndexSession,
  results: StoredResults,
  { files, prepare }: IndexFolderOptions,
): Promise<void> {
  for (const file of files) {
    const prepared = await prepare(file);
    if (prepared.outcome !== "ready") results.leaveOut(file, prepared);
    else if (!canBeSent(prepared.file)) results.fail(file, "frame_too_large");
    else if (!(await session.add(prepared.file))) return;
  }
}

/** What became of each file, stored with its run as it comes, and counted. */
class StoredResults {
  readonly counts = { summarized: 0, failed: 0, unreadable: 0, tokensUsed: 0 };
  readonly #options: IndexFolderOptions;
  #done = 0;

  constructor(options: IndexFolderOptions) {
    this.#options = options;
  }

  /** The cloud's answer. */
  take(file: FileToSend, { summary, tag, tokensUsed, prompt, error }: FileResult): void {
    const { relPath, contentHash, kind } = file;
    const { store, scan } = this.#options;
    this.counts.tokensUsed += tokensUsed;
    if (summary !== null) {
      const made = { kind, summary, tag, promptVersion: prompt };
      this.#keep(relPath, "summarized", null, () => {
        this.counts.summarized += store.folderFiles.setSummary(scan.project.id, relPath, contentHash, made);
      });
    } else if (!isLimit(error)) this.#keepFailure(file, error ?? "internal");
    this.#advance();
  }

  fail(file: FileToSummarize, code: string): void {
    this.#keepFailure(file, code);
    this.#advance();
  }

  /** Nothing of it can be sent: it cannot be read, or is not what was scanned; then the next scan finds it as it is. */
  leaveOut({ relPath, contentHash }: FileToSummarize, found: Exclude<Preparation, { outcome: "ready" }>): void {
    const { store, scan } = this.#options;
    if (found.outcome === "skipped") {
      const { reason } = found;
      this.counts.unreadable += 1;
      this.#keep(relPath, "skipped", reason, () =>
        store.folderFiles.setSkipped(scan.project.id, relPath, contentHash, reason),
      );
    }
    this.#advance();
  }

  #keepFailure({ relPath, contentHash }: FileToSummarize | FileToSend, code: string): void {
    const { store, scan } = this.#options;
    this.counts.failed += 1;
    this.#keep(relPath, "failed", code, () => store.folderFiles.setError(scan.project.id, relPath, contentHash, code));
  }

  /** Nothing is stored for a scan that has lost the project. */
  #keep(path: string, action: ScoutAction, code: string | null, work: () => void): void {
    const { store, scan } = this.#options;
    store.transaction(() => {
      if (!scan.holds()) throw new DeviceError("scan_superseded");
      work();
      store.scoutRuns.addActions(scan.runId, [{ action, relativePath: path, fromPath: null, code }]);
    });
  }

  #advance(): void {
    const { files, onProgress } = this.#options;
    this.#done += 1;
    onProgress?.({ done: this.#done, total: files.length, tokens: this.counts.tokensUsed });
  }
}
