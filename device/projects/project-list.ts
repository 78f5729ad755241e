import type { ProjectId } from "../../events/ids.ts";
import { DeviceError } from "../errors.ts";
import { isSameFolder } from "../files/place/folder-place.ts";
import { type Remembered, rememberFolder } from "../folders/indexer/link-folder.ts";
import { wholePath } from "../folders/local-scouts.ts";
import type { Project } from "../store/folder-schema.ts";
import type { DeviceStore } from "../store/open.ts";

/** A project of this device, and how its folder is. Times are milliseconds since the epoch. */
export interface ShownProject {
  readonly id: ProjectId;
  readonly name: string;
  readonly folderPath: string | null;
  readonly state: "unlinked" | Project["folderLastScanStatus"];
  /** Whether the folder is read by itself, and how often; null without one. */
  readonly reading: { readonly isEnabled: boolean; readonly rescanEveryMs: number } | null;
  readonly totalFiles: number;
  readonly lastScannedAt: number | null;
  readonly trouble: { readonly code: string; readonly sentence: string } | null;
}

/** Every project of this device, by name. */
export const projectsShown = (store: DeviceStore): ShownProject[] =>
  store.projects.list().map((project) => shown(store, project));

/** @throws DeviceError `project_unknown` */
export const projectShown = (store: DeviceStore, id: ProjectId): ShownProject => shown(store, store.projects.get(id));

function shown(store: DeviceStore, project: Project): ShownProject {
  const { id, name, folderPath, folderLastScanStatus, folderTotalFiles, folderLastScannedAt, folderErrorCode } =
    project;
  const config = store.localScouts.find(id);
  const isLinked = folderPath !== null;
  return {
    ...{ id, name, folderPath, totalFiles: folderTotalFiles, lastScannedAt: folderLastScannedAt },
    state: isLinked ? folderLastScanStatus : "unlinked",
    reading: isLinked && config ? { isEnabled: config.isEnabled, rescanEveryMs: config.rescanEveryMs } : null,
    trouble: folderErrorCode === null ? null : { code: folderErrorCode, sentence: project.folderErrorSentence ?? "" },
  };
}

/** A project with its folder. @throws DeviceError `project_unknown`, `folder_not_linked` */
export function linkedFolder(store: DeviceStore, id: ProjectId): Project & { readonly folderPath: string } {
  const project = store.projects.get(id);
  const { folderPath } = project;
  if (folderPath === null) throw new DeviceError("folder_not_linked");
  return { ...project, folderPath };
}

/**
 * Gives a project its folder, in place of the one it had; nobody has read it yet.
 *
 * @param given an absolute path, or a bucket's address
 * @throws DeviceError `project_unknown`, `usage` (no whole path), those of {@link rememberFolder}: then nothing is changed
 */
export async function giveFolder(store: DeviceStore, id: ProjectId, given: string): Promise<GivenFolder> {
  const before = store.projects.get(id);
  const folderPath = wholePath(given);
  const came = await rememberFolder(store, before, folderPath);
  const isOther = before.folderPath !== null && !isSameFolder(before.folderPath, folderPath);
  return { project: projectShown(store, id), replaced: isOther ? before.folderPath : null, ...came };
}

export interface GivenFolder extends Remembered {
  readonly project: ShownProject;
  /** The other folder that the project had; nothing in it was changed. */
  readonly replaced: string | null;
}
