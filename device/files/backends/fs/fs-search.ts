import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { ProjectFilesError } from "../../errors.ts";
import { addFailure, addFindings, type BatchFindings, emptyBatch } from "../../grep/grep.ts";
import type { CompiledQuery } from "../../grep/grep-query.ts";
import { nameOf, parentOf } from "../../paths/project-path.ts";
import { DirectoryTrail, type FsDirectory, readFlags } from "./fs-directory.ts";
import { fromSystem } from "./fs-errors.ts";
import type { FsRoot } from "./fs-root.ts";

/** Most source files fit; a larger one costs one more call to learn its size. */
const firstReadBytes = 256 * 1024;

/**
 * Searches files of one root, synchronously: five system calls a file, where promises would cost more than the reading.
 * Runs in a worker thread, or in the main thread for a small tree.
 */
export class FsSearch {
  readonly #root: FsRoot;
  readonly #compiled: CompiledQuery;
  readonly #buffer = Buffer.allocUnsafeSlow(firstReadBytes);

  constructor(root: FsRoot, compiled: CompiledQuery) {
    this.#root = root;
    this.#compiled = compiled;
  }

  /** @param paths without symlinks; neighbours in one directory share one opening of it */
  search(paths: readonly string[]): BatchFindings {
    const batch = emptyBatch();
    for (const _ of this.each(paths, batch));
    return batch;
  }

  /** The same file by file, for a caller who does something else in between. */
  *each(paths: readonly string[], batch: BatchFindings): Generator<void> {
    const trail = new DirectoryTrail(this.#root);
    try {
      for (const path of paths) {
        try {
          addFindings(batch, path, this.#read(trail.enter(parentOf(path)), nameOf(path), path), this.#compiled);
        } catch (error) {
          addFailure(batch, fromSystem(error, path));
        }
        yield;
      }
    } finally {
      trail.close();
    }
  }

  /** The bytes are valid until the next read. */
  #read(directory: FsDirectory, name: string, path: string): Buffer {
    const descriptor = openSync(directory.child(name), readFlags);
    try {
      directory.verify();
      const first = readSync(descriptor, this.#buffer, 0, firstReadBytes, 0);
      if (first > this.#compiled.query.maxFileBytes) throw new ProjectFilesError("TooLarge", { path });
      if (first < firstReadBytes) return this.#buffer.subarray(0, first);
      return this.#readRest(descriptor, first, path);
    } finally {
      closeSync(descriptor);
    }
  }

  #readRest(descriptor: number, first: number, path: string): Buffer {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new ProjectFilesError("NotAFile", { path });
    if (stats.size > this.#compiled.query.maxFileBytes) throw new ProjectFilesError("TooLarge", { path });
    const bytes = Buffer.allocUnsafeSlow(stats.size);
    this.#buffer.copy(bytes);
    let filled = Math.min(first, bytes.length);
    while (filled < bytes.length) {
      const read = readSync(descriptor, bytes, filled, bytes.length - filled, filled);
      if (read === 0) break;
      filled += read;
    }
    return bytes.subarray(0, filled);
  }
}
