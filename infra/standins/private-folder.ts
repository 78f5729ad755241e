import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder, or takes one that is there, for the eyes of its owner only. @throws what the file system says */
export function privateFolder(path: string): string {
  makeFolder(path);
  chmodSync(path, 0o700);
  return path;
}

/** Leaves a database of SQLite that was just opened to its owner alone; what SQLite makes beside it later takes its mode. */
export function privateDatabase(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) chmodSync(file, 0o600);
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
