import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { systemCode } from "./files/backends/fs/fs-errors.ts";

/** Makes a folder and those above it, for the eyes of their owner only. @throws as {@link makeFolder} */
export const makePrivateFolder = (folder: string): void => makeFolder(folder, 0o700);

/**
 * Makes a folder and those above it; one that is there stays as it is. One at a time:
 * where the system says that a folder cannot be in another, as below /proc, Node's own `recursive` never returns.
 *
 * @throws what the file system says: ENOTDIR or EEXIST where a file is in the way
 */
export function makeFolder(folder: string, mode: number): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process made it meanwhile.
    if (systemCode(error) !== "EEXIST" || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
