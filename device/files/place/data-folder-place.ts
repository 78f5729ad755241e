import { realpathSync } from "node:fs";
import path from "node:path";
import { systemCode } from "../backends/fs/fs-errors.ts";
import { identityOf, relativeInside } from "../paths/containment.ts";

const style = process.platform === "win32" ? "windows" : "posix";

/** Where a directory lies with its links resolved; of one that is not there, where it would. */
export function realPlace(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (!["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "") || parent === folder) throw error;
    return path.join(realPlace(parent), path.basename(folder));
  }
}

/** Whether a directory is another one or lies in it, however it is reached. Both paths are absolute. */
export const liesIn = (folder: string, outer: string): boolean =>
  relativeInside(realPlace(outer), realPlace(folder), style) !== undefined;

/**
 * The device's data folder as a path of a project: `""` when the project lies in it, undefined when it is elsewhere.
 *
 * @param root what the project's files have as their `displayRoot`: of a bucket no path at all, so nothing lies in it
 * @param foldsCase whether the project's disk does
 */
export function dataFolderIn(root: string, dataFolder: string, foldsCase: boolean): string | undefined {
  if (!path.isAbsolute(root)) return undefined;
  const [project, data] = [realPlace(root), realPlace(dataFolder)];
  const folding = { foldsCase, foldsUnicode: foldsCase };
  return relativeInside(data, project, style, folding) === undefined
    ? relativeInside(project, data, style, folding)
    : "";
}

/** Whether a path of a project is that folder or lies in it. @param folder as {@link dataFolderIn} gives it */
export function isInDataFolder(canonical: string, folder: string | undefined, foldsCase: boolean): boolean {
  if (folder === undefined) return false;
  if (folder === "") return true;
  const folding = { foldsCase, foldsUnicode: foldsCase };
  return `${identityOf(canonical, folding)}/`.startsWith(`${identityOf(folder, folding)}/`);
}
