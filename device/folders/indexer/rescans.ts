import type { ProjectId } from "../../../events/ids.ts";
import { type Clock, systemClock } from "../../connection/clock.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import { DeviceError } from "../../errors.ts";
import { settleAbandonedScans } from "../scanner/start-scan.ts";
import type { ScanCause } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { type Rescan, type RescanProgress, rescanProject } from "./rescan-project.ts";

/** How often is looked for folders whose day is over. */
const lookEveryMs = 3_600_000;

export interface RescansOptions {
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly clock?: Clock;
  readonly rescan?: typeof rescanProject | undefined;
  readonly onProgress?: (projectId: ProjectId, progress: RescanProgress) => void;
  readonly onEnd?: (projectId: ProjectId, rescan: Rescan) => void;
  /** A folder that could not be scanned (its project says why as well), or a store that could not be asked. */
  readonly onProblem?: (error: Error, projectId?: ProjectId) => void;
}

/** Scans in the background, one at a time. */
export interface Rescans {
  /** Scans what is due, now and every hour. */
  start(): void;
  /** Scans a folder whose manifest was found to be stale; one that waits already waits once. */
  rescanInBackground(projectId: ProjectId): void;
  /** Resolves when nothing is being scanned and nothing waits. */
  whenIdle(): Promise<void>;
  /** Cancels the scan that runs, and forgets those that wait. */
  close(): Promise<void>;
}

export function createRescans(options: RescansOptions): Rescans {
  const { store, api, clock = systemClock, rescan = rescanProject, onProgress, onEnd, onProblem } = options;
  const waiting = new Map<ProjectId, ScanCause>();
  const abort = new AbortController();
  let running: Promise<void> | undefined;
  let cancelLook = () => {};

  const scan = async (projectId: ProjectId, cause: ScanCause) => {
    try {
      const { signal } = abort;
      const progressed = (progress: RescanProgress) => onProgress?.(projectId, progress);
      const ended = await rescan({ store, api, projectId, cause, signal, clock, onProgress: progressed });
      onEnd?.(projectId, ended);
    } catch (thrown) {
      onProblem?.(asError(thrown), projectId);
    }
  };

  const work = async () => {
    for (const [projectId, cause] of waiting) {
      waiting.delete(projectId);
      await scan(projectId, cause);
    }
    running = undefined;
  };

  const enqueue = (projectId: ProjectId, cause: ScanCause) => {
    if (abort.signal.aborted || waiting.has(projectId)) return;
    waiting.set(projectId, cause);
    running ??= work();
  };

  const look = () => {
    cancelLook = clock.after(lookEveryMs, look);
    try {
      settleAbandonedScans(store, () => clock.now());
      for (const projectId of store.localScouts.due()) enqueue(projectId, "daily");
    } catch (thrown) {
      onProblem?.(asError(thrown));
    }
  };

  return {
    start: look,
    rescanInBackground: (projectId) => enqueue(projectId, "stale"),
    async whenIdle() {
      while (running !== undefined) await running;
    },
    async close() {
      cancelLook();
      waiting.clear();
      abort.abort();
      await running;
    },
  };
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new DeviceError("internal", { cause: thrown });
}
