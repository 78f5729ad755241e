import type { ProjectId } from "../../events/ids.ts";
import { lookAtDisk } from "../folders/manifest/read-manifest.ts";
import { settleAbandonedScans } from "../store/abandoned-scans.ts";
import type { DeviceStore } from "../store/open.ts";
import type { DiskStates } from "./file-list.ts";
import { linkedFolder } from "./project-list.ts";

/** How a folder was found. */
export interface DiskLook {
  /** False: the folder is gone, or its disk is away. */
  readonly isReachable: boolean;
  /** Whether a scan would change what is known of it. */
  readonly wantsScan: boolean;
  readonly stale: number;
  readonly gone: number;
}

interface Kept {
  readonly states: DiskStates;
  readonly atMs: number;
}

/** Projects whose files' states are remembered. */
const mostKept = 4;

/** How folders compare with what is known of them, as agents are told: looked at when asked, and remembered until the next scan. */
export class DiskLooks {
  readonly #store: DeviceStore;
  readonly #now: () => number;
  readonly #kept = new Map<ProjectId, Kept>();
  readonly #looking = new Map<ProjectId, Promise<DiskLook>>();

  constructor(store: DeviceStore, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** What the last look found, unless a scan has ended since. */
  statesOf(id: ProjectId): DiskStates | undefined {
    const kept = this.#kept.get(id);
    const scannedAt = this.#store.projects.find(id)?.folderLastScannedAt ?? null;
    return kept !== undefined && (scannedAt === null || scannedAt <= kept.atMs) ? kept.states : undefined;
  }

  /** Looks; who asks while somebody looks already is told the same. @throws DeviceError `project_unknown`, `folder_not_linked` */
  look(id: ProjectId): Promise<DiskLook> {
    const looking = this.#looking.get(id) ?? this.#look(id).finally(() => this.#looking.delete(id));
    this.#looking.set(id, looking);
    return looking;
  }

  async #look(id: ProjectId): Promise<DiskLook> {
    const atMs = this.#now();
    settleAbandonedScans(this.#store, atMs);
    const { folderPath } = linkedFolder(this.#store, id);
    const found = await lookAtDisk(id, folderPath, { store: this.#store });
    this.#kept.delete(id);
    if (found === undefined) return { isReachable: false, wantsScan: false, stale: 0, gone: 0 };
    const { states, wantsScan } = found;
    this.#kept.set(id, { states, atMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > mostKept && oldest !== undefined) this.#kept.delete(oldest);
    const count = (state: string) => [...states.values()].filter((each) => each === state).length;
    return { isReachable: true, wantsScan, stale: count("stale"), gone: count("gone") };
  }
}
