import type { Stats } from "node:fs";
import type { FileMetadata } from "../../file-metadata.ts";

/**
 * Changes whenever content may have: a rename over the file changes the inode, a write in place the change time, which
 * no program can set back.
 */
export function versionOf(stats: Stats): string {
  return `${stats.ino.toString(36)}-${stats.size.toString(36)}-${stats.mtimeMs}-${stats.ctimeMs}`;
}

/** What a backend tells of a file or folder. Times are in milliseconds since the epoch; `mode` has the permission bits only. */
export function metadataOf(stats: Stats): FileMetadata {
  return {
    kind: stats.isFile() ? "file" : stats.isDirectory() ? "directory" : "other",
    sizeBytes: stats.size,
    mtimeMs: stats.mtimeMs,
    mode: stats.mode & 0o7777,
    version: versionOf(stats),
    ctimeMs: stats.ctimeMs,
    inode: String(stats.ino),
    // Units of 512 bytes, whatever the disk's own are (stat(2)).
    allocatedBytes: stats.blocks * 512,
  };
}
