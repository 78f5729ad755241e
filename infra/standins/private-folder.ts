import { chmodSync, mkdirSync } from "node:fs";

/** Makes a folder, or takes one that is there, for the eyes of its owner only. @throws what the file system says */
export function privateFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
  return path;
}
