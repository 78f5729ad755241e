import { join } from "node:path";
import { isScoutsError, type ScoutsError } from "../../../events/errors.ts";
import type { EmbeddingModel } from "../../../shared/llm/embedding-model.ts";
import type { Clock } from "../../connection/clock.ts";
import { type DeviceError, isDeviceError } from "../../errors.ts";
import type { Project } from "../../store/folder-schema.ts";
import { takeFileLock } from "../../store/held-locks.ts";
import type { DeviceStore } from "../../store/open.ts";
import { type EmbedUpdate, embedProject } from "./embed-project.ts";
import { type EmbeddingSetting, readEmbeddingSetting } from "./embedding-setting.ts";

export interface EmbedFoldersOptions {
  readonly store: DeviceStore;
  readonly setting: EmbeddingSetting;
  readonly model: EmbeddingModel;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Projects that need no look are left out. */
  readonly wants?: (project: Project) => boolean;
  /** See `EmbedOptions.probes`; default true. */
  readonly probes?: (project: Project) => boolean;
  readonly onProgress?: (progress: { project: string; done: number; total: number }) => void;
}

/** What became of one project's passages. */
export interface EmbeddedProject extends EmbedUpdate {
  readonly project: Project;
}

/**
 * Embeds the passages of all linked folders, one after the other; the first problem ends it, as it would be every project's.
 *
 * @returns undefined when another program of this data folder does so: nobody pays twice
 * @throws DeviceError `store_full`, `store_unreadable`
 */
export async function embedFolders(options: EmbedFoldersOptions): Promise<EmbeddedProject[] | undefined> {
  const { store, setting, onProgress, wants = () => true, probes = () => true } = options;
  const release = takeFileLock(join(store.dataFolder, "device", "embedding.lock"));
  if (release === undefined) return undefined;
  const holds = () => isSet(store.dataFolder, setting);
  const done: EmbeddedProject[] = [];
  try {
    for (const project of store.projects.list()) {
      if (project.folderPath === null || !wants(project)) continue;
      const told =
        onProgress &&
        ((progress: { done: number; total: number }) => onProgress({ project: project.name, ...progress }));
      const update = await embedProject({
        ...options,
        projectId: project.id,
        holds,
        probes: probes(project),
        onProgress: told,
      });
      done.push({ project, ...update });
      if (update.problem !== undefined && isOfModel(update.problem)) break;
    }
    return done;
  } finally {
    release();
  }
}

const isOfModel = (problem: DeviceError | ScoutsError): problem is ScoutsError => isScoutsError(problem);

/** Whether this is still the model that is set. */
function isSet(dataFolder: string, setting: EmbeddingSetting): boolean {
  try {
    return JSON.stringify(readEmbeddingSetting(dataFolder)) === JSON.stringify(setting);
  } catch (error) {
    if (isDeviceError(error)) return false;
    throw error;
  }
}
