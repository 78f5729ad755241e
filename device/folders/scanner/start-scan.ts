import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { ProjectId, RunId } from "../../../events/ids.ts";
import { type DeviceErrorCode, sentenceOf } from "../../errors.ts";
import { openFolder } from "../../files/place/folder-place.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import { isAbandoned, scanInterrupted } from "../../store/abandoned-scans.ts";
import type { Project, ScanCause, ScoutRunStatus } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { ScanEnd } from "../../store/tables/projects.ts";
import { asScanError } from "./scan-error.ts";
import { type ScanOptions, type ScanResult, scanProject } from "./scan-project.ts";

/** A holder that is alive but silent for this long is stuck. */
const leaseMs = 5 * 60_000;
const extendEveryMs = 60_000;

export interface StartScanOptions extends Omit<ScanOptions, "files" | "runId" | "holder"> {
  readonly cause?: ScanCause;
  /** Opens the linked folder. @throws ProjectFilesError NotFound, NotADirectory, AccessDenied */
  readonly openFiles?: (folderPath: string) => ProjectFiles;
}

/** How the work on a folder ended. */
export interface ScanOutcome {
  readonly status: Exclude<ScoutRunStatus, "running">;
  /** Why, when it is not `completed`; kept with the run and, with its sentence, with the project. */
  readonly code?: DeviceErrorCode | ErrorCode;
  readonly sentence?: string;
  readonly summarizedFiles?: number;
  readonly tokensUsed?: number;
}

/** A folder that was scanned and may now be summarised. The project is `scanning` until {@link finish}. */
export interface StartedScan {
  readonly project: Project;
  readonly runId: RunId;
  readonly files: ProjectFiles;
  readonly result: ScanResult;
  /** False when the folder was unlinked or another scan took over: then nothing of this one may be stored any more. */
  holds(): boolean;
  /** Ends the scan; calling it again does nothing. False when the scan no longer held the project. */
  finish(outcome: ScanOutcome): boolean;
}

/**
 * Scans the folder of a project, of which only one scan works at a time, in whatever process. One whose process died, or
 * was silent for too long, is taken over; the delta makes that cheap.
 *
 *     A: beginScan ──▶ scanning, held by A ── scans, summarises ──▶ finish ──▶ idle
 *     B: beginScan ──▶ A lives: scan_running      A dies, B again ──▶ held by B
 *
 * @throws DeviceError `project_unknown`, `folder_not_linked`, `scan_running`, `folder_not_found`, `folder_unreadable`,
 * `scan_superseded`, `scan_interrupted` (the signal fired); for the latter four the run and the project say so
 */
export async function startScan(options: StartScanOptions): Promise<StartedScan> {
  const { store, projectId, cause = "manual", now } = options;
  const holder = store.newId();
  const { project, runId, release } = begin({ store, projectId, holder, now }, cause);
  const stopExtending = keepExtending(() => store.projects.extendScan(projectId, holder, now() + leaseMs));
  const end = (outcome: ScanOutcome, result?: ScanResult) => {
    stopExtending();
    try {
      return endScan({ store, projectId, runId, holder, now }, outcome, result);
    } finally {
      // Only now: a scan whose lock is free counts as broken off.
      release();
    }
  };

  const folderPath = project.folderPath ?? "";
  try {
    const files = (options.openFiles ?? openFolder)(folderPath);
    const result = await scanProject({ ...options, files, runId, holder });
    return {
      project,
      runId,
      files,
      result,
      holds: () => store.projects.holdsScan(projectId, holder),
      finish: (outcome) => end(outcome, result),
    };
  } catch (thrown) {
    const error = asScanError(thrown, folderPath);
    const status = error.code === scanInterrupted ? "cancelled" : "error";
    end({ status, code: error.code, sentence: error.message });
    throw error;
  }
}

/** The lock is held before the row says that somebody scans, so nobody takes the row of a living scan over. */
function begin({ store, projectId, holder, now }: Omit<Ending, "runId">, cause: ScanCause) {
  const release = store.scanLocks.hold(holder);
  try {
    return store.transaction(() => {
      const scan = { holder, pid: process.pid, until: now() + leaseMs };
      const project = store.projects.beginScan(projectId, scan, isAbandoned(store.scanLocks, now()));
      store.scoutRuns.interrupt(projectId, scanInterrupted);
      return { project, runId: store.scoutRuns.start(projectId, cause).id, release };
    });
  } catch (error) {
    release();
    throw error;
  }
}

/** Stops by itself when the scan holds nothing any more. */
function keepExtending(extend: () => boolean): () => void {
  const timer = setInterval(() => {
    try {
      if (!extend()) clearInterval(timer);
    } catch {
      // The lease outlasts several tries: of a store that stays as it is the scan itself meets the error, and tells it.
    }
  }, extendEveryMs);
  timer.unref();
  return () => clearInterval(timer);
}

interface Ending {
  readonly store: DeviceStore;
  readonly projectId: ProjectId;
  readonly runId: RunId;
  readonly holder: string;
  readonly now: () => number;
}

function endScan({ store, projectId, runId, holder, now }: Ending, outcome: ScanOutcome, result?: ScanResult): boolean {
  const { status, summarizedFiles = 0, tokensUsed = 0 } = outcome;
  const code = outcome.code ?? (status === "completed" ? null : scanInterrupted);
  return store.transaction(() => {
    const end: ScanEnd =
      code === null
        ? { status: "idle", totalFiles: store.folderFiles.total(projectId) }
        : { status: "error", code, sentence: outcome.sentence ?? sentenceOf(code) };
    const held = store.projects.endScan(projectId, holder, end);
    if (store.scoutRuns.find(runId)?.status !== "running") return held;
    store.scoutRuns.update(runId, {
      status,
      errorCode: code,
      endedAt: now(),
      summarizedFiles,
      tokensUsed,
      ...countsOf(result),
    });
    return held;
  });
}

function countsOf(result: ScanResult | undefined) {
  if (result === undefined) return {};
  return {
    newFiles: result.newFiles.length,
    changedFiles: result.changedFiles.length,
    renamedFiles: result.renamedFiles.length,
    deletedFiles: result.deletedFiles.length,
    skippedFiles: Object.values(result.skipped.byReason).reduce((sum, count) => sum + count, 0),
    unchangedFiles: result.unchanged,
  };
}
