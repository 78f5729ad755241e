import type { ProjectId } from "../../../events/ids.ts";
import { exactError } from "../../exact-sentences.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { ScannedDirectory } from "./look/scanned-directory.ts";

/** The directories of a snapshot, the root with the disk's own number of it. */
export const withRootInode = (
  directories: readonly ScannedDirectory[],
  inode: string | undefined,
): ScannedDirectory[] =>
  directories.map((each) => (each.path === "" && inode !== undefined ? { ...each, inode } : each));

/**
 * Of a drive that is away the directory stays behind in which it was mounted: empty, and another one than its files were in. So
 * they are not gone. One that somebody has emptied is the same as before.
 *
 * @throws DeviceError `folder_not_found`
 */
export async function refuseEmptied({
  store,
  files,
  projectId,
  rootInode,
}: {
  readonly store: DeviceStore;
  readonly files: ProjectFiles;
  readonly projectId: ProjectId;
  readonly rootInode: string | undefined;
}): Promise<void> {
  const known = store.folderSnapshots.find(projectId)?.directories.find(({ path }) => path === "")?.inode;
  if (known === undefined || known === rootInode || (await files.listDir("")).length > 0) return;
  const values = { path: files.displayRoot, files: store.folderFiles.total(projectId) };
  throw exactError("folder_not_found", "emptied", values);
}
