import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { ProjectFilesError } from "./errors.ts";
import { translating } from "./fs-errors.ts";
import { metadataOf } from "./fs-metadata.ts";
import { type FsDirectory, type FsRoot, readFlags } from "./fs-root.ts";
import type { FileMetadata } from "./project-files.ts";
import { nameOf, parentOf } from "./project-path.ts";
import type { ListedEntry, WalkSource } from "./walk.ts";

/** git reads ignore files up to 100 MB (PATTERN_MAX_FILE_SIZE); this is plenty. */
const maxIgnoreFileBytes = 8 * 1024 * 1024;

/** The walk's view of a directory on disk. */
export class FsWalkSource implements WalkSource {
  readonly style;
  readonly foldsCase;
  readonly #root: FsRoot;
  readonly #withMetadata: boolean;

  constructor(root: FsRoot, withMetadata: boolean) {
    this.#root = root;
    this.style = root.style;
    this.foldsCase = root.folding.foldsCase;
    this.#withMetadata = withMetadata;
  }

  list(path: string): ListedEntry[] {
    const directory = this.#root.openDirectory(path);
    try {
      const entries: ListedEntry[] = directory.list();
      if (this.#withMetadata) for (const entry of entries) if (entry.kind === "file") addMetadata(directory, entry);
      return entries;
    } finally {
      directory.close();
    }
  }

  read(path: string): Uint8Array {
    const directory = this.#root.openDirectory(parentOf(path));
    try {
      return translating(path, () => readSmall(directory.child(nameOf(path)), path));
    } finally {
      directory.close();
    }
  }

  /** Asked only for a file that vanished between listing and stat. */
  metadata(path: string): FileMetadata {
    const stats = this.#root.resolve(path, false);
    if (stats.missing.length > 0) throw new ProjectFilesError("NotFound", { path });
    return metadataOf(stats.stats);
  }
}

function addMetadata(directory: FsDirectory, entry: ListedEntry): void {
  const stats = directory.stat(entry.name);
  if (stats !== undefined) entry.metadata = metadataOf(stats);
}

function readSmall(absolute: string, path: string): Uint8Array {
  const descriptor = openSync(absolute, readFlags);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new ProjectFilesError("NotAFile", { path });
    if (stats.size > maxIgnoreFileBytes) throw new ProjectFilesError("TooLarge", { path });
    const bytes = new Uint8Array(stats.size);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(descriptor);
  }
}
