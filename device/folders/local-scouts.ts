import { isAbsolute } from "node:path";
import type { ProjectId } from "../../events/ids.ts";
import { DeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";
import { bucketAddressText, isBucketAddress, parseBucketAddress } from "../files/place/bucket-address.ts";
import { folderName } from "../files/place/folder-place.ts";
import { addProject, projectNameAfter } from "../projects/change-projects.ts";
import type { LocalScoutConfig, Project } from "../store/folder-schema.ts";
import type { DeviceStore } from "../store/open.ts";
import { rememberFolder } from "./indexer/link-folder.ts";

/** The scout that watches a project's folder on this device. */
export interface LocalScout {
  readonly id: ProjectId;
  /** The project's name. */
  readonly name: string;
  readonly folderPath: string;
  readonly status: Project["folderLastScanStatus"];
  readonly isEnabled: boolean;
  readonly rescanEveryMs: number;
  readonly totalFiles: number;
  /** Milliseconds since the epoch. */
  readonly lastScannedAt: number | null;
  readonly trouble: { readonly code: string; readonly sentence: string } | null;
}

/** Every linked folder of this device, by its project's name. */
export function localScouts(store: DeviceStore): LocalScout[] {
  return store.projects.list().flatMap((project) => {
    const config = store.localScouts.find(project.id);
    return config === undefined || project.folderPath === null ? [] : [shown(project, project.folderPath, config)];
  });
}

/** @throws DeviceError `project_unknown`, `folder_not_linked` */
export function localScout(store: DeviceStore, id: ProjectId): LocalScout {
  store.projects.get(id);
  const found = localScouts(store).find((each) => each.id === id);
  if (found === undefined) throw new DeviceError("folder_not_linked");
  return found;
}

/** Whether a folder is looked at by itself, and how often; what is left out stays. */
export interface LocalScoutChange {
  readonly isEnabled?: boolean | undefined;
  readonly rescanEveryMs?: number | undefined;
}

/** @throws DeviceError `project_unknown`, `folder_not_linked` */
export function changeLocalScout(store: DeviceStore, id: ProjectId, change: LocalScoutChange): void {
  const { isEnabled, rescanEveryMs } = localScout(store, id);
  store.localScouts.put(id, {
    isEnabled: change.isEnabled ?? isEnabled,
    rescanEveryMs: change.rescanEveryMs ?? rescanEveryMs,
  });
}

function shown(project: Project, folderPath: string, { isEnabled, rescanEveryMs }: LocalScoutConfig): LocalScout {
  const { id, name, folderLastScanStatus: status, folderTotalFiles, folderLastScannedAt, folderErrorCode } = project;
  const trouble =
    folderErrorCode === null ? null : { code: folderErrorCode, sentence: project.folderErrorSentence ?? "" };
  const facts = { status, isEnabled, rescanEveryMs, totalFiles: folderTotalFiles, lastScannedAt: folderLastScannedAt };
  return { id, name, folderPath, ...facts, trouble };
}

/**
 * Makes a project on a folder; nobody has read it yet.
 *
 * @param name of the project; after the folder when empty
 * @param given an absolute path, or a bucket's address
 * @throws DeviceError `usage` (no whole path), those of {@link addProject} and {@link rememberFolder}: then there is no project
 */
export async function addFolder(store: DeviceStore, name: string, given: string): Promise<LocalScout> {
  const folderPath = wholePath(given);
  const project = addProject(store, name.trim() || projectNameAfter(folderName(folderPath)));
  try {
    await rememberFolder(store, project, folderPath);
  } catch (error) {
    store.projects.remove(project.id);
    throw error;
  }
  return localScout(store, project.id);
}

/** The one spelling of where a folder is. @throws DeviceError `usage` for what is no whole path, and for the whole disk */
export function wholePath(given: string): string {
  if (isBucketAddress(given)) return bucketAddressText(parseBucketAddress(given));
  if (isAbsolute(given) && folderName(given) !== "") return given;
  throw exactError("usage", "folder", {}, { data: { field: "path" } });
}
