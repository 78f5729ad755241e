import { statfsSync } from "node:fs";
import { LocalHomeError } from "../errors.ts";

/** What a start writes before it has read a single mail, several times over. */
const leastFreeBytes = 4 * 1024 * 1024;

/** @throws LocalHomeError `disk_full`: a start that runs out of space half-way leaves more behind than one that does not begin */
export function requireSpace(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= leastFreeBytes) return;
  const freeKb = Math.floor((bavail * bsize) / 1024);
  const cure = "Free some space, or give a folder on another disk with --data.";
  throw new LocalHomeError("disk_full", `Only ${freeKb} KB are left on the disk of ${folder}. ${cure}`);
}
