import { exactError } from "../../exact-sentences.ts";
import { ProjectFilesError } from "../../files/errors.ts";
import { isBucketAddress } from "../../files/place/bucket-address.ts";
import { liesIn, realPlace } from "../../files/place/data-folder-place.ts";
import { folderName, openFolder } from "../../files/place/folder-place.ts";
import { asScanError } from "../scanner/scan-error.ts";
import { othersPlace } from "../system-folders.ts";

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

/**
 * Whether a folder of this machine may be a project's: not the whole disk, nothing of the system, by way of links too, and nothing of
 * the device's own. Nothing is asked of a bucket.
 *
 * @throws DeviceError `usage`
 */
export function requireLinkable(folderPath: string, dataFolder: string): void {
  if (isBucketAddress(folderPath)) return;
  const about = notLinked(folderPath, dataFolder);
  if (about !== undefined) throw exactError("usage", about, { path: folderPath }, { data: { field: "path" } });
}

/** Why it may not, as the word of a sentence. */
function notLinked(folderPath: string, dataFolder: string) {
  if (folderName(folderPath) === "" || folderName(realPlace(folderPath)) === "") return "folder";
  if (liesIn(folderPath, dataFolder)) return "dataFolder";
  return othersPlace(folderPath) === "system" ? "systemFolder" : undefined;
}
