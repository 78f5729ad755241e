import { isScoutsError } from "../../events/errors.ts";
import type { ProjectId } from "../../events/ids.ts";
import type { CloudApi } from "../connect/cloud-api.ts";
import { isDeviceError } from "../errors.ts";
import { type RescanOptions, rescanProject } from "../indexer/rescan-project.ts";
import type { DeviceStore } from "../store/open.ts";

export interface BackgroundRescansOptions {
  readonly store: DeviceStore;
  readonly api: CloudApi;
  readonly signal?: AbortSignal;
  readonly rescan?: (options: RescanOptions) => Promise<{ readonly reason?: Trouble }>;
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
  readonly running: number;
  /** Waits for all; what went wrong with them. */
  ended(): Promise<Trouble[]>;
}

export function backgroundRescans(options: BackgroundRescansOptions): BackgroundRescans {
  const { store, api, signal, rescan = rescanProject } = options;
  const scans = new Map<ProjectId, Promise<Trouble | undefined>>();
  let running = 0;
  const scan = async (projectId: ProjectId): Promise<Trouble | undefined> => {
    running += 1;
    try {
      return (await rescan({ store, api, projectId, cause: "stale", signal })).reason;
    } catch (error) {
      // Somebody else is at it: that serves as well.
      if (isDeviceError(error, "scan_running")) return undefined;
      if (isDeviceError(error) || isScoutsError(error)) return { code: error.code, sentence: error.message };
      throw error;
    } finally {
      running -= 1;
    }
  };
  return {
    begin(projectId) {
      if (scans.has(projectId)) return;
      const begun = scan(projectId);
      // Its end is looked at by `ended`.
      begun.catch(() => {});
      scans.set(projectId, begun);
    },
    get running() {
      return running;
    },
    async ended() {
      return (await Promise.all(scans.values())).filter((trouble) => trouble !== undefined);
    },
  };
}
