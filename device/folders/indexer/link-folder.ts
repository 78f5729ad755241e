import { carryHistory } from "../../access/open-access.ts";
import { carrySettings } from "../../config/change-config.ts";
import { isDeviceError } from "../../errors.ts";
import { BucketError } from "../../files/backends/s3/bucket-error.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import { isSameFolder, lastPlaceOf, openFolder } from "../../files/place/folder-place.ts";
import { indexPath, removeIndexFile } from "../../knowledge/index/index-file.ts";
import type { Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";
import { isRefusedByPlan } from "./quota.ts";
import { requireFolder, requireLinkable } from "./require-folder.ts";
import { type Rescan, type RescanOptions, rescanProject } from "./rescan-project.ts";
import { unlinkFolder } from "./unlink-folder.ts";

export interface LinkOptions extends Omit<RescanOptions, "cause"> {
  /** An absolute path, or a bucket's address in its one spelling. */
  readonly folderPath: string;
}

export interface Linking extends Rescan {
  /** False when the plan does not cover the folder: then the project has none. */
  readonly isLinked: boolean;
  /** The other folder that the project had before. Nothing in it was changed; what was known of its files is forgotten. */
  readonly replaced?: string;
  /** Whether what the person had said of that one is now said of this. */
  readonly keepsSettings: boolean;
}

/**
 * Links a folder to a project in place of the one it had, and has it summarised. A folder that is not where it was keeps
 * its manifest when it is linked again: its files are recognised by their content.
 *
 * @throws DeviceError `folder_not_found` (nothing is changed), `project_unknown`, `scan_running`, `folder_unreadable`, those of
 * a bucket
 */
export async function linkFolder(options: LinkOptions): Promise<Linking> {
  const { store, projectId, folderPath } = options;
  const before = store.projects.get(projectId);
  const isOther = before.folderPath === null || !isSameFolder(before.folderPath, folderPath);
  const { keepsSettings } = await rememberFolder(store, before, folderPath);
  const rescan = await rescanProject({ ...options, cause: isOther ? "link" : "manual" }).catch((error: unknown) => {
    if (isOther && isDeviceError(error, "folder_not_found")) unlinkFolder(store, before);
    throw error;
  });
  const linking = {
    ...rescan,
    keepsSettings,
    ...(isOther && before.folderPath !== null && { replaced: before.folderPath }),
  };
  if (!isOther || !isRefusedByPlan(rescan.error)) return { ...linking, isLinked: true };
  return { ...linking, project: unlinkFolder(store, before), isLinked: false };
}

/**
 * Notes which folder a project has, and that it is to be looked at; nobody has read it yet.
 *
 * @param folderPath as {@link LinkOptions.folderPath}
 * @throws DeviceError `usage` (as {@link requireLinkable}), `folder_not_found`, `folder_unreadable`, those of a bucket: nothing is
 * changed; those of {@link carrySettings} and {@link carryHistory}: the project has the folder it had
 */
export async function rememberFolder(store: DeviceStore, project: Project, folderPath: string): Promise<Remembered> {
  await requireFolder(folderPath);
  requireLinkable(folderPath, store.dataFolder);
  const { id, folderPath: old } = project;
  const keepsSettings = old === null ? false : await carryOver(store.dataFolder, old, folderPath);
  const keepsFiles = old === folderPath || (await replaceFolder(store, project, folderPath));
  store.localScouts.put(id);
  return { keepsSettings, keepsFiles };
}

/** What came along from the folder that a project had. */
export interface Remembered extends Pick<Linking, "keepsSettings"> {
  /** What was known of its files: it is the same folder, or one that is no more where it was. */
  readonly keepsFiles: boolean;
}

/**
 * What is kept by a folder's place: the person's settings hold in whatever folder takes its place, before anything of that is read; its
 * history is that of its files, where they were moved.
 */
async function carryOver(dataFolder: string, old: string, folderPath: string): Promise<boolean> {
  const [from, to] = [lastPlaceOf(old), lastPlaceOf(folderPath)];
  if (from === to) return false;
  if (await isGone(old)) carryHistory(dataFolder, from, to);
  return carrySettings(dataFolder, old, folderPath);
}

/** What is known of a folder stays when it is reached in another way, and when it is no more where it was. @returns whether it does */
async function replaceFolder(
  store: DeviceStore,
  { id, folderPath: old }: Project,
  folderPath: string,
): Promise<boolean> {
  const keepsFiles = old !== null && (isSameFolder(old, folderPath) || (await isGone(old)));
  if (keepsFiles) store.projects.relink(id, folderPath);
  else {
    store.projects.link(id, folderPath);
    removeIndexFile(indexPath(store.dataFolder, id));
  }
  return keepsFiles;
}

/** A bucket that cannot be reached just now is not gone. */
async function isGone(folderPath: string): Promise<boolean> {
  try {
    return (await openFolder(folderPath).metadata("")).kind !== "directory";
  } catch (error) {
    if (error instanceof BucketError) return error.trouble === "no_bucket";
    if (isProjectFilesError(error)) return true;
    throw error;
  }
}
