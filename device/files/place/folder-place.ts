import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { systemCode } from "../backends/fs/fs-errors.ts";
import { FsProjectFiles } from "../backends/fs/fs-project-files.ts";
import { LazyBucket } from "../backends/s3/lazy-bucket.ts";
import { S3ProjectFiles } from "../backends/s3/s3-project-files.ts";
import type { ProjectFiles } from "../project-files.ts";
import { bucketAddressText, isBucketAddress, parseBucketAddress } from "./bucket-address.ts";

/**
 * The files of a folder that is linked to a project, wherever it is. Nothing is asked of it yet.
 *
 * @param folderPath the absolute path of a directory, or a bucket's address
 */
export function openFolder(folderPath: string): ProjectFiles {
  if (!isBucketAddress(folderPath)) return new FsProjectFiles(folderPath);
  const address = parseBucketAddress(folderPath);
  const { bucket, prefix, isWritable } = address;
  return new S3ProjectFiles(new LazyBucket(address), { bucket, prefix, isReadOnly: !isWritable });
}

/**
 * What a folder is known by, however it is reached: of a directory where its links lead, of a bucket its name, prefix and
 * endpoint. What is kept about its files is kept under this.
 *
 * @throws Error of the system, when a directory is not there
 */
export function placeOf(folderPath: string): string {
  if (!isBucketAddress(folderPath)) return realpathSync(folderPath);
  const { bucket, prefix, endpoint } = parseBucketAddress(folderPath);
  return bucketAddressText({ bucket, prefix, endpoint, isWritable: false });
}

/** As {@link placeOf}; a directory that is not there is known by where it would be, one that cannot be looked for by how it was given. */
export function lastPlaceOf(folderPath: string): string {
  try {
    return placeOf(folderPath);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    const isMissing = isAbsolute(folderPath) && ["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "");
    const above = dirname(folderPath);
    return isMissing && above !== folderPath ? join(lastPlaceOf(above), basename(folderPath)) : folderPath;
  }
}

/** Whether two addresses lead to the same folder: those of a bucket may differ in how it is reached. */
export const isSameFolder = (one: string, other: string): boolean =>
  one === other || (isBucketAddress(one) && isBucketAddress(other) && placeOf(one) === placeOf(other));

/** What a folder is called: the last part of its path. */
export function folderName(folderPath: string): string {
  if (!isBucketAddress(folderPath)) return basename(folderPath);
  const { bucket, prefix } = parseBucketAddress(folderPath);
  return prefix === "" ? bucket : basename(prefix);
}
