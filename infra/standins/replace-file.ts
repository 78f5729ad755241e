import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Replaces a file as a whole that the owner of the account alone may read. It is on the disk before this returns: whoever is killed, and
 * a machine that loses its power, leaves the old one or the new one.
 *
 * @throws what the file system says; the old one is there then
 */
export function replaceFile(file: string, text: string): void {
  const draft = `${file}.new`;
  try {
    writeFileSync(draft, text, { mode: 0o600, flush: true });
    renameSync(draft, file);
  } catch (error) {
    // Half of it is of no use, and on a full disk in the way.
    rmSync(draft, { force: true });
    throw error;
  }
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
