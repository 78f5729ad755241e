import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** What a folder and all below it takes, in bytes. What vanishes meanwhile does not count; links are not followed. */
export async function folderSize(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    bytes += (await lstat(join(entry.parentPath, entry.name)).catch(ifGone))?.size ?? 0;
  }
  return bytes;
}

function ifGone(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}
