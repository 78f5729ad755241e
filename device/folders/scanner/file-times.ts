import type { FileMetadata } from "../../files/file-metadata.ts";
import type { FileTimes } from "../../store/tables/manifest/scanned-files.ts";

/** FAT keeps modification times in steps of two seconds, the coarsest of any disk in use. */
const coarsestStepMs = 2_000;

/**
 * What a row remembers of a file's place and times.
 *
 * A write that comes after the content was read, but in the same step of the disk's clock, leaves size and times as they
 * were; git calls such a file racily clean (git's Documentation/technical/racy-git.txt). As git does, no reliance is placed
 * on the times of a file that was changed just before it was looked at: its version is left empty, so that the next scan
 * reads it again.
 *
 *     read ─── write, same size ─── step of the clock ends         times as recorded, content not
 *
 * @param readAtMs when reading began, by this machine's clock
 */
export function timesOf(metadata: FileMetadata, readAtMs: number): FileTimes {
  const { sizeBytes, mtimeMs, ctimeMs = null, inode = null, version } = metadata;
  return { sizeBytes, mtimeMs, ctimeMs, inode, version: isSettled(ctimeMs ?? mtimeMs, readAtMs) ? version : "" };
}

/** Whether a file was changed so long before it was read that another change would have another time. */
export function isSettled(changedAtMs: number, readAtMs: number): boolean {
  return changedAtMs + coarsestStepMs <= readAtMs;
}

/**
 * Whether the content lies elsewhere and reading would fetch it: a file with bytes that takes no room on the disk. Asked
 * only where such files are made by the system (File Provider on macOS, Cloud Files on Windows). NTFS keeps a few hundred
 * bytes in its own table and takes no room for them either.
 */
export function isPlaceholder({ sizeBytes, allocatedBytes }: FileMetadata, platform: NodeJS.Platform): boolean {
  if (allocatedBytes !== 0) return false;
  return (platform === "darwin" && sizeBytes > 0) || (platform === "win32" && sizeBytes > 1_024);
}
