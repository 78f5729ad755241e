import { isScoutsError } from "../../events/errors.ts";
import type { ProjectId } from "../../events/ids.ts";
import { isDeviceError } from "../errors.ts";
import { createRescans, type RescansOptions } from "../folders/indexer/rescans.ts";

export interface BackgroundRescansOptions
  extends Pick<RescansOptions, "store" | "api" | "clock" | "openContent" | "rescan"> {
  /** Cancels the scan that runs, and those that wait. */
  readonly signal?: AbortSignal;
}

/** Why a list of files is not up to date. */
export interface Trouble {
  readonly code: string;
  readonly sentence: string;
}

/** Scans that begin because a manifest was found out of date; whoever read it does not wait for them. */
export interface BackgroundRescans {
  /** One for each project, once. */
  begin(projectId: ProjectId): void;
  /** Scans that run or wait. */
  readonly running: number;
  /** Waits for all; what went wrong with them. */
  ended(): Promise<Trouble[]>;
}

/**
 * Scans that stop when `signal` is aborted. `ended` rejects with what is a defect; a scan that another program has
 * begun is no trouble.
 */
export function backgroundRescans({ signal, ...options }: BackgroundRescansOptions): BackgroundRescans {
  const begun = new Set<ProjectId>();
  const troubles: Trouble[] = [];
  const defects: Error[] = [];
  let over = 0;
  const rescans = createRescans({
    ...options,
    onEnd(_, { reason }) {
      over += 1;
      if (reason) troubles.push(reason);
    },
    onProblem(error) {
      over += 1;
      // Somebody else is at it: that serves as well.
      if (isDeviceError(error, "scan_running")) return;
      if (isDeviceError(error) || isScoutsError(error)) troubles.push({ code: error.code, sentence: error.message });
      else defects.push(error);
    },
  });
  const cancel = () => void rescans.close();
  signal?.addEventListener("abort", cancel, { once: true });
  return {
    begin(projectId) {
      if (begun.has(projectId) || signal?.aborted) return;
      begun.add(projectId);
      rescans.rescanInBackground(projectId);
    },
    get running() {
      return signal?.aborted ? 0 : begun.size - over;
    },
    async ended() {
      await rescans.whenIdle();
      signal?.removeEventListener("abort", cancel);
      if (defects[0]) throw defects[0];
      return troubles;
    },
  };
}
