import { ProjectFilesError } from "../../files/errors.ts";
import { openFolder } from "../../files/place/folder-place.ts";
import { asScanError } from "../scanner/scan-error.ts";

/**
 * Asks the disk or the bucket, once, whether there is a folder that can be read.
 *
 * @param folderPath an absolute path, or a bucket's address in its one spelling
 * @throws DeviceError `folder_not_found`, `folder_unreadable`, those of a bucket
 */
export async function requireFolder(folderPath: string): Promise<void> {
  try {
    const { kind } = await openFolder(folderPath).metadata("");
    if (kind !== "directory") throw new ProjectFilesError("NotADirectory", { path: "" });
  } catch (error) {
    throw asScanError(error, folderPath);
  }
}
