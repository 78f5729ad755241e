import type { ProjectId } from "../../../events/ids.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import type { Clock } from "../../connection/clock.ts";
import { asError } from "../../errors.ts";
import { isReadByOlder } from "../../knowledge/index/update-index.ts";
import { scanInterrupted, settleAbandonedScans } from "../../store/abandoned-scans.ts";
import type { ScanCause, ScoutRun } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { defaultRescanEveryMs } from "../../store/tables/local-scouts.ts";
import { checkFolderQuota, isRefusedByPlan } from "./quota.ts";
import { type Rescan, type RescanOptions, type RescanProgress, rescanProject } from "./rescan-project.ts";
import { unlinkFolder } from "./unlink-folder.ts";

/** How often is looked for folders whose day is over. */
const lookEveryMs = 3_600_000;

export interface RescansOptions {
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly clock: Clock;
  readonly openContent: RescanOptions["openContent"];
  readonly rescan?: typeof rescanProject | undefined;
  readonly checkQuota?: typeof checkFolderQuota | undefined;
  readonly onProgress?: (projectId: ProjectId, progress: RescanProgress) => void;
  readonly onEnd?: (projectId: ProjectId, rescan: Rescan) => void;
  /** A folder that could not be scanned (its project says why as well), or a store that could not be asked. */
  readonly onProblem?: (error: Error, projectId?: ProjectId) => void;
}

/** A scan of this program: how far it is, or that others are before it. */
export type ScanNow = RescanProgress | { readonly phase: "wait" };

/** Scans in the background, one at a time. */
export interface Rescans {
  /** Scans what is due, or was cut off by a kill or as the home was away, now and every hour, and now what an older program has read. */
  start(): void;
  /** The device is connected: scans what ended as its home was away. */
  homeIsThere(): void;
  /** Scans a folder, unless told because its manifest was found to be stale; one that waits already waits once. */
  rescanInBackground(projectId: ProjectId, cause?: ScanCause): void;
  /** Calls back when a scan has begun, and when it has ended. @returns what ends that */
  onScan(listener: () => void): () => void;
  /** Calls back with what a scan has done, as often as it says so. @returns what ends that */
  onProgress(listener: (projectId: ProjectId, progress: RescanProgress) => void): () => void;
  /** The scan of a folder that runs or waits here; what other programs scan is not known here. */
  scanOf(projectId: ProjectId): ScanNow | undefined;
  /** Ends the scan of a folder that runs here, or forgets the one that waits. @returns whether there was one */
  cancel(projectId: ProjectId): boolean;
  /** Resolves when nothing is being scanned and nothing waits. */
  whenIdle(): Promise<void>;
  /** Cancels the scan that runs, and forgets those that wait. */
  close(): Promise<void>;
}

/** A folder the plan does not cover is not linked; its project says why until it has another. */
function refuseLink(store: DeviceStore, { project: { id }, reason }: Rescan): void {
  store.transaction(() => {
    unlinkFolder(store, { id });
    if (reason) store.projects.setTrouble(id, reason);
  });
}

/**
 * Scans folders for this program, one at a time, in the order in which they were asked for. A scan never throws: how it
 * ended goes to `onEnd`, and what kept it from ending so (such as the DeviceError `scan_running`) to `onProblem`. A
 * folder that the plan does not cover is unlinked when its first scan finds that out.
 */
export function createRescans(options: RescansOptions): Rescans {
  const { store, api, clock, openContent, rescan = rescanProject, onProgress, onEnd, onProblem } = options;
  const { checkQuota = checkFolderQuota } = options;
  let current: { readonly projectId: ProjectId; readonly abort: AbortController; now: ScanNow } | undefined;
  const waiting = new Map<ProjectId, ScanCause>();
  const abort = new AbortController();
  let running: Promise<void> | undefined;
  let asking: Promise<void> | undefined;
  let cancelLook = () => {};

  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  const followers = new Set<(projectId: ProjectId, progress: RescanProgress) => void>();

  const scan = async (projectId: ProjectId, cause: ScanCause) => {
    let isBegun = false;
    const own = { projectId, abort: new AbortController(), now: { phase: "wait" } as ScanNow };
    current = own;
    try {
      const signal = AbortSignal.any([abort.signal, own.abort.signal]);
      const progressed = (progress: RescanProgress) => {
        own.now = progress;
        if (!isBegun) tell();
        isBegun = true;
        onProgress?.(projectId, progress);
        for (const follower of followers) follower(projectId, progress);
      };
      const ended = await rescan({ store, api, projectId, cause, signal, clock, openContent, onProgress: progressed });
      if (cause === "link" && isRefusedByPlan(ended.error)) refuseLink(store, ended);
      onEnd?.(projectId, ended);
    } catch (thrown) {
      onProblem?.(asError(thrown), projectId);
    } finally {
      current = undefined;
      tell();
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

  /** A scan that ends over the plan leaves no time of its own: without this it would be repeated every hour. */
  const wasTriedLongAgo = (projectId: ProjectId) => {
    const [last] = store.scoutRuns.list(projectId, 1);
    if (last === undefined) return true;
    const ageMs = clock.now() - last.startedAt;
    // In the future lies what began before the clock was set back.
    return ageMs < 0 || ageMs >= defaultRescanEveryMs;
  };

  /** A scan whose program was killed goes on, unless the one before it was too: then something in the folder may do that. */
  const wasKilled = (projectId: ProjectId) => {
    const [last, before] = store.scoutRuns.list(projectId, 2);
    const isKilled = (run: ScoutRun | undefined) => run?.status === "error" && run.errorCode === scanInterrupted;
    return isKilled(last) && !isKilled(before);
  };

  /** Files that wait for tokens are taken up within an hour of a new month, or of a higher plan. */
  const takeUp = async (projectIds: readonly ProjectId[]) => {
    try {
      await checkQuota(api, 0, 1);
      for (const projectId of projectIds) enqueue(projectId, "daily");
    } catch (thrown) {
      if (!isRefusedByPlan(thrown)) onProblem?.(asError(thrown));
    }
  };

  const goOn = () => {
    for (const projectId of store.localScouts.cutOff()) enqueue(projectId, "daily");
  };

  const look = () => lookFor(() => []);

  /** @param more besides what is due */
  const lookFor = (more: () => readonly ProjectId[]) => {
    cancelLook = clock.after(lookEveryMs, look);
    try {
      settleAbandonedScans(store, clock.now());
      const forTokens = new Set(store.localScouts.waitingForTokens());
      for (const projectId of new Set([...store.localScouts.due(), ...more()])) {
        if (!forTokens.has(projectId) || wasTriedLongAgo(projectId)) enqueue(projectId, "daily");
      }
      for (const projectId of store.localScouts.interrupted()) if (wasKilled(projectId)) enqueue(projectId, "daily");
      goOn();
      if (forTokens.size > 0) asking = takeUp([...forTokens]);
    } catch (thrown) {
      onProblem?.(asError(thrown));
    }
  };

  return {
    // What an older program has read is read again once a start, however that ends.
    start: () => lookFor(() => store.localScouts.watched().filter((id) => isReadByOlder(store, id))),
    homeIsThere: goOn,
    rescanInBackground: (projectId, cause = "stale") => enqueue(projectId, cause),
    onScan(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onProgress(listener) {
      followers.add(listener);
      return () => followers.delete(listener);
    },
    scanOf(projectId) {
      if (current?.projectId === projectId) return current.now;
      return waiting.has(projectId) ? { phase: "wait" } : undefined;
    },
    cancel(projectId) {
      const isWaiting = waiting.delete(projectId);
      const isRunning = current?.projectId === projectId && !current.abort.signal.aborted;
      if (isRunning) current?.abort.abort();
      if (isWaiting) tell();
      return isWaiting || isRunning;
    },
    async whenIdle() {
      await asking;
      while (running !== undefined) await running;
    },
    async close() {
      cancelLook();
      waiting.clear();
      abort.abort();
      await asking;
      await running;
    },
  };
}
