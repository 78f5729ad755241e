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
  const { store, scan, files, channel, prepare, signal, clock, onProgress } = options;
  const { project, runId } = scan;
  const counts = { summarized: 0, failed: 0, unreadable: 0, tokensUsed: 0 };
  let done = 0;

  /** Nothing is stored for a scan that has lost the project. */
  const keep = (path: string, action: ScoutAction, code: string | null, work: () => void) => {
    store.transaction(() => {
      if (!scan.holds()) throw new DeviceError("scan_superseded");
      work();
      store.scoutRuns.addActions(runId, [{ action, relativePath: path, fromPath: null, code }]);
    });
  };
  const advance = () => {
    done += 1;
    onProgress?.({ done, total: files.length, tokens: counts.tokensUsed });
  };
  const failed = ({ relPath, contentHash }: FileToSummarize | FileToSend, code: string) => {
    counts.failed += 1;
    keep(relPath, "failed", code, () => store.folderFiles.setError(project.id, relPath, contentHash, code));
  };

  const onResult = (file: FileToSend, { summary, tag, tokensUsed, prompt, error }: FileResult) => {
    const { relPath, contentHash, kind } = file;
    counts.tokensUsed += tokensUsed;
    if (summary !== null) {
      const made = { kind, summary, tag, promptVersion: prompt };
      keep(relPath, "summarized", null, () => {
        counts.summarized += store.folderFiles.setSummary(project.id, relPath, contentHash, made);
      });
    } else if (!isLimit(error)) failed(file, error ?? "internal");
    advance();
  };

  const id = indexId.parse(`idx_${store.newId()}`);
  const session = new IndexSession({
    channel,
    id,
    projectId: project.id,
    totalFiles: files.length,
    clock,
    onResult,
  });
  const interrupt = () => session.fail(new DeviceError("scan_interrupted"));
  signal?.addEventListener("abort", interrupt, { once: true });
  if (signal?.aborted) interrupt();

  const sendAll = async () => {
    for (const file of files) {
      const prepared = await prepare(file);
      if (prepared.outcome === "ready" && canBeSent(prepared.file)) {
        if (!(await session.add(prepared.file))) return;
        continue;
      }
      if (prepared.outcome === "ready") failed(file, "frame_too_large");
      else if (prepared.outcome === "skipped") {
        const { relPath, contentHash } = file;
        const { reason } = prepared;
        counts.unreadable += 1;
        keep(relPath, "skipped", reason, () => store.folderFiles.setSkipped(project.id, relPath, contentHash, reason));
      }
      advance();
    }
  };

  try {
    await session.start();
    await sendAll();
    await session.flush();
    const { limit } = session;
    if (limit !== undefined) return { status: "quota_exceeded", error: new ScoutsError(limit), counts };
    await session.finish();
    return { status: "completed", counts };
  } catch (thrown) {
    const error = isScoutsError(thrown) ? thrown : asScanError(thrown, project.folderPath ?? "");
    session.fail(error);
    await session.cancel();
    return { status: isDeviceError(error, "scan_interrupted") ? "cancelled" : "error", error, counts };
  } finally {
    signal?.removeEventListener("abort", interrupt);
    session.stop();
  }
}
