import { link, readlink, rename, unlink } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { ProjectFilesError } from "../../errors.ts";
import type { FileMetadata } from "../../file-metadata.ts";
import { grepTree } from "../../grep/grep.ts";
import type { GrepOptions, GrepStream } from "../../grep/grep-types.ts";
import { ripgrepByDefault } from "../../grep/ripgrep.ts";
import type { HashedBytes, HashedFile, HashingFiles } from "../../hashed-file.ts";
import { KeyedLock } from "../../keyed-lock.ts";
import { materializeFiles } from "../../materialize/materialize.ts";
import type { MaterializedView, MaterializeOptions } from "../../materialize/materialize-types.ts";
import { ProjectView } from "../../materialize/project-view.ts";
import { identityOf, type NameFolding } from "../../paths/containment.ts";
import { canonicalPath, joinPath, nameOf, parentOf } from "../../paths/project-path.ts";
import type {
  CreateOptions,
  DeleteOptions,
  DirEntry,
  LinkedFiles,
  ProjectFiles,
  ReadOptions,
  StreamingFiles,
  WriteOptions,
} from "../../project-files.ts";
import { compareSnapshot } from "../../snapshot/compare-snapshot.ts";
import type { CompareOptions, DirectorySnapshot, SnapshotFiles } from "../../snapshot/tree-snapshot.ts";
import { walkTree } from "../../walk/walk.ts";
import type { FileWalk, WalkOptions } from "../../walk/walk-types.ts";
import { createInto } from "./fs-create.ts";
import type { FsDirectory } from "./fs-directory.ts";
import { fromSystem, systemCode } from "./fs-errors.ts";
import { metadataOf } from "./fs-metadata.ts";
import { hashResolved, readHashedResolved, readResolved } from "./fs-read.ts";
import { FsRoot } from "./fs-root.ts";
import { FsSearcher } from "./fs-searcher.ts";
import { FsWalkSource } from "./fs-walk-source.ts";
import { checkVersion, writeInto } from "./fs-write.ts";

export interface FsProjectFilesOptions {
  /** Default 512 MiB. */
  maxFileBytes?: number;
  /** Flush every write to the disk before it takes the file's name, so that it survives a power cut. Default true. */
  durable?: boolean;
  /** ripgrep's name or path, used when it is there; false never to use it. Default "rg" on four cores and more, else false. */
  ripgrep?: string | false;
  /** False to do without /proc on Linux too, as on other systems. */
  pins?: boolean;
  /** How the disk compares names; asked of the disk when left out. */
  folding?: NameFolding;
}

/** A directory on this machine. See `FsRoot` for how containment is kept. */
export class FsProjectFiles implements ProjectFiles, StreamingFiles, LinkedFiles, SnapshotFiles, HashingFiles {
  readonly displayRoot: string;
  readonly folding: NameFolding;
  readonly isReadOnly = false;
  readonly #root: FsRoot;
  readonly #maxFileBytes: number;
  readonly #ripgrep: string | false;
  readonly #durable: boolean;
  readonly #locks = new KeyedLock();

  /** @throws NotFound, NotADirectory, AccessDenied */
  constructor(directory: string, options: FsProjectFilesOptions = {}) {
    const { maxFileBytes = 512 * 1024 * 1024, durable = true, ...others } = options;
    const { ripgrep = ripgrepByDefault(availableParallelism()), ...rootOptions } = others;
    this.#root = FsRoot.open(directory, rootOptions);
    this.displayRoot = this.#root.path;
    this.folding = this.#root.folding;
    this.#maxFileBytes = maxFileBytes;
    this.#ripgrep = ripgrep;
    this.#durable = durable;
  }

  async read(path: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const found = this.#existing(path);
    if (!found.stats.isFile()) throw new ProjectFilesError("NotAFile", { path });
    const maxBytes = Math.min(options.maxBytes ?? this.#maxFileBytes, this.#maxFileBytes);
    return readResolved(this.#root, found.existing, path, maxBytes, options.range);
  }

  hash(path: string, maxBytes: number): Promise<HashedFile> {
    return hashResolved(this.#root, canonicalPath(path, this.#root.style), Math.min(maxBytes, this.#maxFileBytes));
  }

  readHashed(path: string, maxBytes: number): Promise<HashedBytes> {
    return readHashedResolved(
      this.#root,
      canonicalPath(path, this.#root.style),
      Math.min(maxBytes, this.#maxFileBytes),
    );
  }

  async write(path: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
    const asked = canonicalPath(path, this.#root.style);
    const target = joinPath(...this.#place(asked));
    if (target === "") throw new ProjectFilesError("NotAFile", { path });
    await this.#locks.run(this.#identity(target), async () => {
      const directory = this.#openParent(target, path);
      try {
        await writeInto(directory, nameOf(target), bytes, { ...options, durable: this.#durable });
      } finally {
        directory.close();
      }
    });
  }

  async create(path: string, pieces: AsyncIterable<Uint8Array>, options: CreateOptions = {}): Promise<void> {
    const target = joinPath(...this.#place(canonicalPath(path, this.#root.style)));
    if (target === "") throw new ProjectFilesError("NotAFile", { path });
    const directory = this.#openParent(target, path);
    try {
      if (options.replaces !== true && directory.stat(nameOf(target)) !== undefined)
        throw new ProjectFilesError("Conflict", { path });
      await createInto(directory, nameOf(target), pieces, { ...options, durable: this.#durable });
    } finally {
      directory.close();
    }
  }

  async exists(path: string): Promise<boolean> {
    return this.#root.resolve(canonicalPath(path, this.#root.style)).missing.length === 0;
  }

  async metadata(path: string): Promise<FileMetadata> {
    return metadataOf(this.#existing(path).stats);
  }

  async listDir(path: string): Promise<DirEntry[]> {
    const directory = this.#root.openDirectory(this.#existing(path).existing);
    try {
      const entries = directory.list().map(({ name, kind }) => ({ path: name, kind }));
      return entries.sort((a, b) => (a.path < b.path ? -1 : 1));
    } finally {
      directory.close();
    }
  }

  walk(options: WalkOptions = {}): FileWalk {
    return walkTree(() => new FsWalkSource(this.#root, options.withMetadata ?? false), options);
  }

  changesSince(
    snapshot: readonly DirectorySnapshot[],
    options: CompareOptions,
  ): Promise<readonly string[] | undefined> {
    return compareSnapshot(this.#root.path, snapshot, options);
  }

  async delete(path: string, options: DeleteOptions = {}): Promise<void> {
    const target = this.#existing(path, false).existing;
    await this.#locks.run(this.#identity(target), () =>
      this.#inParent(target, path, async (directory, name) => {
        const stats = directory.stat(name);
        if (stats === undefined) throw new ProjectFilesError("NotFound", { path });
        if (stats.isDirectory()) throw new ProjectFilesError("NotAFile", { path });
        checkVersion(stats, options.ifVersion, path);
        await unlink(directory.child(name));
        directory.verify();
      }),
    );
  }

  async rename(from: string, to: string): Promise<void> {
    const source = this.#existing(from, false).existing;
    const asked = canonicalPath(to, this.#root.style);
    const target = joinPath(...this.#place(asked, false));
    if (source === "" || target === "" || `${target}/`.startsWith(`${source}/`)) {
      throw new ProjectFilesError(source === target ? "Conflict" : "InvalidPath", { path: to });
    }
    await this.#inParent(source, from, async (origin, name) => {
      const destination = this.#openParent(target, to);
      try {
        await this.#move(origin, name, destination, nameOf(target), to);
      } catch (error) {
        throw fromSystem(error, to);
      } finally {
        destination.close();
      }
    });
  }

  grep(pattern: string, options: GrepOptions = {}): GrepStream {
    const wholeDirectories = !options.extensions && !options.globs && !options.paths;
    const settings = { ripgrep: this.#ripgrep, wholeDirectories, signal: options.signal };
    return grepTree(this, pattern, options, (compiled) => new FsSearcher(this.#root, compiled, settings));
  }

  async materialize(options: MaterializeOptions = {}): Promise<MaterializedView> {
    if (!options.copy) return new ProjectView(this.#root.path);
    return materializeFiles(this, options, (root) => new FsProjectFiles(root, { ripgrep: false }));
  }

  async linkTarget(path: string): Promise<string | undefined> {
    const directory = this.#root.openDirectory(parentOf(path));
    try {
      if (directory.stat(nameOf(path))?.isSymbolicLink() !== true) return undefined;
      return await readlink(directory.child(nameOf(path)));
    } catch (error) {
      if (systemCode(error) === "ENOENT" || systemCode(error) === "EINVAL") return undefined;
      throw fromSystem(error, path);
    } finally {
      directory.close();
    }
  }

  async canonical(path: string): Promise<string> {
    const { existing, missing } = this.#root.resolve(canonicalPath(path, this.#root.style));
    return joinPath(this.#root.spelling(existing), missing.join("/"));
  }

  #identity(path: string): string {
    return identityOf(path, this.#root.folding);
  }

  #existing(path: string, followLast = true) {
    const found = this.#root.resolve(canonicalPath(path, this.#root.style), followLast);
    if (found.missing.length > 0) throw new ProjectFilesError("NotFound", { path });
    return found;
  }

  /** Where something would be put: the existing directory and what is to be made under it. */
  #place(path: string, followLast = true): [string, string] {
    const { existing, missing, stats } = this.#root.resolve(path, followLast);
    if (missing.length > 0 && !stats.isDirectory()) throw new ProjectFilesError("NotADirectory", { path });
    return [existing, missing.join("/")];
  }

  /** Opens the directory of `target`, a path without symlinks, making what is missing, each step from the one before. */
  #openParent(target: string, asked: string): FsDirectory {
    const [existing, missing] = this.#place(parentOf(target));
    let directory = this.#root.openDirectory(existing);
    try {
      for (const name of missing === "" ? [] : missing.split("/")) {
        const next = directory.enterOrMake(name);
        directory.close();
        directory = next;
      }
      return directory;
    } catch (error) {
      directory.close();
      throw fromSystem(error, asked);
    }
  }

  async #inParent(
    target: string,
    asked: string,
    action: (directory: FsDirectory, name: string) => Promise<void>,
  ): Promise<void> {
    if (target === "") throw new ProjectFilesError("NotAFile", { path: asked });
    const directory = this.#root.openDirectory(parentOf(target));
    try {
      await action(directory, nameOf(target));
    } catch (error) {
      throw fromSystem(error, asked);
    } finally {
      directory.close();
    }
  }

  /** rename(2) replaces what is there; link(2) and then unlink(2) do not. */
  async #move(from: FsDirectory, name: string, to: FsDirectory, newName: string, asked: string): Promise<void> {
    const source = from.stat(name);
    if (source === undefined) throw new ProjectFilesError("NotFound", { path: joinPath(from.path, name) });
    const occupant = to.stat(newName);
    const isRespelling = this.#identity(joinPath(from.path, name)) === this.#identity(joinPath(to.path, newName));
    if (occupant !== undefined && !isRespelling) throw new ProjectFilesError("Conflict", { path: asked });
    if (source.isFile() && occupant === undefined) {
      try {
        await link(from.child(name), to.child(newName));
        await unlink(from.child(name));
        return;
      } catch (error) {
        // FAT and some network disks have no hard links; EPERM says so (link(2)).
        if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(systemCode(error) ?? "")) throw error;
      }
    }
    await rename(from.child(name), to.child(newName));
    from.verify();
    to.verify();
  }
}
