import { closeSync, fstatSync, openSync, readSync, statfsSync } from "node:fs";
import { ProjectFilesError } from "../../errors.ts";
import type { FileMetadata } from "../../file-metadata.ts";
import { nameOf, parentOf } from "../../paths/project-path.ts";
import { isStamping } from "../../snapshot/stamping-disks.ts";
import type { DirectoryStamp, ListedEntry, WalkSource } from "../../walk/walk-types.ts";
import { DirectoryTrail, descriptorPath, type FsDirectory, readFlags } from "./fs-directory.ts";
import { translating } from "./fs-errors.ts";
import { metadataOf } from "./fs-metadata.ts";
import type { FsRoot } from "./fs-root.ts";

/** git reads ignore files up to 100 MB (PATTERN_MAX_FILE_SIZE); this is plenty. */
const maxIgnoreFileBytes = 8 * 1024 * 1024;

/** The walk's view of a directory on disk. */
export class FsWalkSource implements WalkSource {
  readonly style;
  readonly foldsCase;
  readonly #root: FsRoot;
  readonly #withMetadata: boolean;
  readonly #trail: DirectoryTrail;
  /** The device that was asked about last: trees seldom lie on several. */
  #stamped: { readonly device: number | undefined; readonly keepsStamps: boolean } = {
    device: undefined,
    keepsStamps: false,
  };

  constructor(root: FsRoot, withMetadata: boolean) {
    this.#root = root;
    this.#trail = new DirectoryTrail(root);
    this.style = root.style;
    this.foldsCase = root.folding.foldsCase;
    this.#withMetadata = withMetadata;
  }

  list(path: string): ListedEntry[] {
    const directory = this.#trail.enter(path);
    const entries: ListedEntry[] = directory.list();
    if (this.#withMetadata) for (const entry of entries) if (entry.kind === "file") addMetadata(directory, entry);
    return entries;
  }

  stampOf(path: string): DirectoryStamp | undefined {
    const { descriptor } = this.#trail.enter(path);
    if (descriptor === undefined) return undefined;
    const { dev, ino, mtimeMs, ctimeMs } = translating(path, () => fstatSync(descriptor));
    if (dev !== this.#stamped.device) {
      const keepsStamps = translating(path, () => isStamping(statfsSync(descriptorPath(descriptor)).type));
      this.#stamped = { device: dev, keepsStamps };
    }
    return this.#stamped.keepsStamps ? [dev, ino, mtimeMs, ctimeMs] : undefined;
  }

  read(path: string): Uint8Array {
    const directory = this.#trail.enter(parentOf(path));
    return translating(path, () => readSmall(directory.child(nameOf(path)), path));
  }

  close(): void {
    this.#trail.close();
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
