import { opendirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { DeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";
import { noFolder } from "./no-folder.ts";
import { isOfSystem } from "./system-folders.ts";

/** Entries of a folder that are looked at, at most: a person chooses among hundreds, not among a million. */
const mostEntries = 20_000;
/** Folders that are named, at most. */
const mostFolders = 500;

/** A folder in another: what it is called, and its whole path. */
export interface FolderThere {
  readonly name: string;
  readonly path: string;
  /** Named to be passed over, as `.git` and `.config` are. */
  readonly isHidden: boolean;
}

/** A folder to choose or to go on from. Names of folders alone: of files nothing is said, and nothing is opened. */
export interface BrowsedFolder {
  readonly path: string;
  /** The one it lies in; null at the top. */
  readonly parent: string | null;
  /** Whether it may be linked: not the whole disk, and no part of the system. */
  readonly isChoosable: boolean;
  /** By name. */
  readonly folders: readonly FolderThere[];
  /** Whether there are more than are named. */
  readonly hasMore: boolean;
}

/**
 * The folders in a folder of this machine, for a person who looks for one.
 *
 * @param folder absolute; the person's own folder when absent
 * @throws DeviceError `usage` (no whole path, or the system's), `folder_not_found`, `folder_unreadable`
 */
export function browseFolders(folder: string = homedir()): BrowsedFolder {
  const here = path.resolve(folder);
  if (!path.isAbsolute(folder)) throw exactError("usage", "folder", {}, { data: { field: "path" } });
  if (isOfSystem(here)) throw exactError("usage", "systemFolder", { path: here }, { data: { field: "path" } });
  const parent = path.dirname(here);
  const isTop = parent === here;
  try {
    return { path: here, parent: isTop ? null : parent, isChoosable: !isTop, ...foldersIn(here) };
  } catch (error) {
    throw asFolderError(error, here);
  }
}

/** What the system says of a folder that cannot be looked into; anything else is a fault of ours. */
function asFolderError(error: unknown, folder: string): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return noFolder(folder, error);
  return new DeviceError("folder_unreadable", { cause: error });
}

function foldersIn(here: string): Pick<BrowsedFolder, "folders" | "hasMore"> {
  const found: FolderThere[] = [];
  const directory = opendirSync(here);
  let looked = 0;
  try {
    for (let entry = directory.readSync(); entry !== null && looked < mostEntries; entry = directory.readSync()) {
      looked += 1;
      const { name } = entry;
      const whole = path.join(here, name);
      const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && leadsToFolder(whole));
      if (isFolder && !isOfSystem(whole)) found.push({ name, path: whole, isHidden: name.startsWith(".") });
    }
  } finally {
    directory.closeSync();
  }
  const byName = new Intl.Collator(undefined, { numeric: true });
  const folders = found.sort((a, b) => Number(a.isHidden) - Number(b.isHidden) || byName.compare(a.name, b.name));
  return { folders: folders.slice(0, mostFolders), hasMore: looked >= mostEntries || folders.length > mostFolders };
}

/** A link may lead nowhere, or where this user may not look. */
function leadsToFolder(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}
