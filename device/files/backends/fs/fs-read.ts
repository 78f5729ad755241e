import { createHash, hash } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { open } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { ProjectFilesError } from "../../errors.ts";
import type { HashedBytes, HashedFile } from "../../hashed-file.ts";
import { nameOf, parentOf } from "../../paths/project-path.ts";
import type { ReadOptions } from "../../project-files.ts";
import { type FsDirectory, readFlags } from "./fs-directory.ts";
import { fromSystem } from "./fs-errors.ts";
import { metadataOf } from "./fs-metadata.ts";
import type { FsRoot } from "./fs-root.ts";

/** Up to here reading at once is faster than a trip through the thread pool. */
const immediateBytes = 64 * 1024;
/** Most documents are read in one piece; between two pieces of a large one other work is let in. */
const pieceBytes = 256 * 1024;
/** One for all: what is read into it is hashed before anything else can happen. */
const piece = Buffer.allocUnsafeSlow(pieceBytes);

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
    const small = range === undefined ? readSmall(directory, nameOf(path), asked, maxBytes) : undefined;
    if (small !== undefined) return small;
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

/** Undefined when the file is large, or does not say how large it is. */
function readSmall(directory: FsDirectory, name: string, asked: string, maxBytes: number): Uint8Array | undefined {
  const descriptor = openSync(directory.child(name), readFlags);
  try {
    directory.verify();
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new ProjectFilesError("NotAFile", { path: asked });
    if (stats.size === 0 || stats.size > immediateBytes) return undefined;
    if (stats.size > maxBytes) throw new ProjectFilesError("TooLarge", { path: asked, detail: `${stats.size} bytes` });
    const bytes = new Uint8Array(stats.size);
    const read = readSync(descriptor, bytes, 0, bytes.length, 0);
    return read === bytes.length ? bytes : bytes.slice(0, read);
  } finally {
    closeSync(descriptor);
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

/** Hashes a file by its path without symlinks; the metadata are of the descriptor that was read. */
export function hashResolved(root: FsRoot, path: string, maxBytes: number): Promise<HashedFile> {
  return withOpened(root, path, maxBytes, (descriptor) => contentOf(descriptor, path, maxBytes));
}

/** As {@link hashResolved}, with the bytes: as many as there were when it was opened. */
export function readHashedResolved(root: FsRoot, path: string, maxBytes: number): Promise<HashedBytes> {
  return withOpened(root, path, maxBytes, async (descriptor, sizeBytes) => {
    const whole = new Uint8Array(sizeBytes);
    let filled = 0;
    while (filled < sizeBytes) {
      const read = readSync(descriptor, whole, filled, Math.min(pieceBytes, sizeBytes - filled), filled);
      if (read === 0) break;
      filled += read;
      if (filled < sizeBytes) await nextTurn();
    }
    const bytes = whole.subarray(0, filled);
    return { bytes, hash: hash("sha256", bytes), readBytes: filled };
  });
}

async function withOpened<T>(
  root: FsRoot,
  path: string,
  maxBytes: number,
  read: (descriptor: number, sizeBytes: number) => Promise<T>,
): Promise<T & Pick<HashedFile, "metadata">> {
  let directory: FsDirectory | undefined;
  try {
    directory = root.openDirectory(parentOf(path));
    const descriptor = openSync(directory.child(nameOf(path)), readFlags);
    try {
      directory.verify();
      const stats = fstatSync(descriptor);
      if (!stats.isFile()) throw new ProjectFilesError("NotAFile", { path });
      if (stats.size > maxBytes) throw new ProjectFilesError("TooLarge", { path, detail: `${stats.size} bytes` });
      const content = await read(descriptor, stats.size);
      return { ...content, metadata: metadataOf(fstatSync(descriptor)) };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw fromSystem(error, path);
  } finally {
    directory?.close();
  }
}

/** A piece that is not full is the last: a regular file gives as much as it has (read(2)). */
async function contentOf(descriptor: number, path: string, maxBytes: number): Promise<Omit<HashedFile, "metadata">> {
  let read = readSync(descriptor, piece, 0, pieceBytes, 0);
  if (read < pieceBytes) return { hash: hash("sha256", piece.subarray(0, read)), readBytes: read };
  const running = createHash("sha256");
  let readBytes = 0;
  for (; read > 0; read = readSync(descriptor, piece, 0, pieceBytes, readBytes)) {
    running.update(piece.subarray(0, read));
    readBytes += read;
    if (readBytes > maxBytes) throw new ProjectFilesError("TooLarge", { path });
    await nextTurn();
  }
  return { hash: running.digest("hex"), readBytes };
}
