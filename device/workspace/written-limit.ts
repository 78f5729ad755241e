import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../files/backends/fs/fs-errors.ts";

/** How much a program may leave in directories that are its own. */
export interface WrittenLimit {
  readonly directories: readonly string[];
  /** On the disk, in all of them together; what lies there at the start counts as well. */
  readonly maxBytes: number;
}

const lookEveryMs = 200;

/**
 * Looks again and again at how much has been written, and says so once when it is too much. A large tree is looked at less
 * often than a small one: looking takes a fifth of the time at most. @returns ends it
 */
export function watchWritten({ directories, maxBytes }: WrittenLimit, onTooMuch: () => void): () => void {
  let timer: NodeJS.Timeout;
  let isOver = false;
  const look = async () => {
    const startedMs = performance.now();
    const bytes = await writtenBytes(directories, maxBytes);
    if (isOver) return;
    if (bytes > maxBytes) return onTooMuch();
    timer = setTimeout(look, Math.max(lookEveryMs, 4 * (performance.now() - startedMs)));
  };
  timer = setTimeout(look, lookEveryMs);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** What files take on the disk. It stops counting above `enough`. */
export async function writtenBytes(directories: readonly string[], enough: number): Promise<number> {
  const pending = [...directories];
  let bytes = 0;
  for (let directory = pending.pop(); directory !== undefined && bytes <= enough; directory = pending.pop()) {
    for (const entry of await unlessGone(readdir(directory, { withFileTypes: true }))) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) pending.push(path);
      else for (const { blocks } of await unlessGone(lstat(path).then((stats) => [stats]))) bytes += blocks * 512;
    }
  }
  return bytes;
}

/** The program works there meanwhile, and may take permissions away. */
async function unlessGone<T>(found: Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await found;
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "EACCES"].includes(systemCode(error) ?? "")) return [];
    throw error;
  }
}
