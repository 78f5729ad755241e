import { statSync } from "node:fs";
import { isDeviceError } from "../../errors.ts";
import { exactError } from "../../exact-sentences.ts";
import { indexPath, removeIndexFile } from "../../knowledge/index/index-file.ts";
import type { Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { isRefusedByPlan } from "./quota.ts";
import { type Rescan, type RescanOptions, rescanProject } from "./rescan-project.ts";
import { unlinkFolder } from "./unlink-folder.ts";

export interface LinkOptions extends Omit<RescanOptions, "cause"> {
  /** Absolute. */
  readonly folderPath: string;
}

export interface Linking extends Rescan {
  /** False when the plan does not cover the folder: then the project has none. */
  readonly isLinked: boolean;
}

/**
 * Links a folder to a project in place of the one it had, and has it summarised. A folder that is not where it was keeps
 * its manifest when it is linked again: its files are recognised by their content.
 *
 * @throws DeviceError `folder_not_found` (nothing is changed), `project_unknown`, `scan_running`, `folder_unreadable`
 */
export async function linkFolder(options: LinkOptions): Promise<Linking> {
  const { store, projectId, folderPath } = options;
  const before = store.projects.get(projectId);
  const isOther = before.folderPath !== folderPath;
  rememberFolder(store, before, folderPath);
  const rescan = await rescanProject({ ...options, cause: isOther ? "link" : "manual" }).catch((error: unknown) => {
    if (isOther && isDeviceError(error, "folder_not_found")) unlinkFolder(store, before);
    throw error;
  });
  if (!isOther || !isRefusedByPlan(rescan.error)) return { ...rescan, isLinked: true };
  return { ...rescan, project: unlinkFolder(store, before), isLinked: false };
}

/**
 * Notes which folder a project has, and that it is to be looked at; nobody has read it yet.
 *
 * @param folderPath absolute
 * @throws DeviceError `folder_not_found`: nothing is changed
 */
export function rememberFolder(store: DeviceStore, project: Project, folderPath: string): void {
  requireFolder(folderPath);
  if (project.folderPath !== folderPath) replaceFolder(store, project, folderPath);
  store.localScouts.put(project.id);
}

function replaceFolder(store: DeviceStore, { id, folderPath: oldPath }: Project, folderPath: string): void {
  if (oldPath !== null && !isFolder(oldPath)) store.projects.relink(id, folderPath);
  else {
    store.projects.link(id, folderPath);
    removeIndexFile(indexPath(store.dataFolder, id));
  }
}

function requireFolder(path: string): void {
  if (!isFolder(path)) throw exactError("folder_not_found", "at", { path });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
