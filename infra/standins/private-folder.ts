import { chmodSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder, or takes one that is there, for the eyes of its owner only. @throws what the file system says */
export function privateFolder(path: string): string {
  makeFolder(path);
  chmodSync(path, 0o700);
  return path;
}

/** One at a time: where a folder cannot be in another, as below /proc, Node's own `recursive` never returns. */
function makeFolder(path: string): void {
  const isThere = () => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  if (isThere()) return;
  if (dirname(path) !== path) makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process made it meanwhile.
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST" && isThere())) throw error;
  }
}
