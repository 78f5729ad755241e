import { open } from "node:fs/promises";
import { ProjectFilesError } from "./errors.ts";
import { fromSystem } from "./fs-errors.ts";
import { type FsRoot, readFlags } from "./fs-root.ts";
import type { ReadOptions } from "./project-files.ts";
import { nameOf, parentOf } from "./project-path.ts";

/** Reads a file by its path without symlinks. `asked` is the caller's spelling, for errors. */
export async function readResolved(
  root: FsRoot,
  path: string,
  asked: string,
  maxBytes: number,
  range: ReadOptions["range"],
): Promise<Uint8Array> {
  const directory = root.openDirectory(parentOf(path));
  try {
    const handle = await open(directory.child(nameOf(path)), readFlags);
    try {
      directory.verify();
      const stats = await handle.stat();
      if (!stats.isFile()) throw new ProjectFilesError("NotAFile", { path: asked });
      const start = Math.min(range?.startByte ?? 0, stats.size);
      const wanted = Math.max(0, Math.min(range?.endByte ?? stats.size, stats.size) - start);
      if (wanted > maxBytes) throw new ProjectFilesError("TooLarge", { path: asked, detail: `${wanted} bytes` });
      // A file in /proc or one that grows says nothing about its size; everything else is read in one piece.
      if (range === undefined && stats.size === 0) return await readUnsized(handle.createReadStream(), asked, maxBytes);
      const bytes = new Uint8Array(wanted);
      let filled = 0;
      while (filled < wanted) {
        const { bytesRead } = await handle.read(bytes, filled, wanted - filled, start + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return filled === wanted ? bytes : bytes.slice(0, filled);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw fromSystem(error, asked);
  } finally {
    directory.close();
  }
}

async function readUnsized(chunks: AsyncIterable<Uint8Array>, asked: string, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of chunks) {
    total += chunk.length;
    if (total > maxBytes) throw new ProjectFilesError("TooLarge", { path: asked });
    parts.push(chunk);
  }
  return new Uint8Array(Buffer.concat(parts));
}
