import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  type Stats,
} from "node:fs";
import { ProjectFilesError } from "../../errors.ts";
import type { EntryKind } from "../../file-metadata.ts";
import { identityOf, type NameFolding } from "../../paths/containment.ts";
import { joinPath, nameOf, parentOf } from "../../paths/project-path.ts";
import { systemCode, translating } from "./fs-errors.ts";

/** Zero where a flag does not exist (Windows). */
const noFollow = constants.O_NOFOLLOW ?? 0;
export const directoryOnly = constants.O_DIRECTORY ?? 0;
const nonBlocking = constants.O_NONBLOCK ?? 0;
export const readFlags = constants.O_RDONLY | noFollow | nonBlocking;
export const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | noFollow;
export const overwriteFlags = constants.O_WRONLY | noFollow | nonBlocking;

/** What a directory needs to know of its root. */
export interface RootPaths {
  readonly folding: NameFolding;
  absolute(path: string): string;
}

/** A directory that was verified to be the one meant. Close it. */
export class FsDirectory {
  /** Project path. */
  readonly path: string;
  readonly #root: RootPaths;
  readonly #descriptor: number | undefined;
  readonly #base: string;

  private constructor(root: RootPaths, path: string, descriptor: number | undefined) {
    this.path = path;
    this.#root = root;
    this.#descriptor = descriptor;
    this.#base = descriptor === undefined ? root.absolute(path) : descriptorPath(descriptor);
  }

  static pinned(root: RootPaths, path: string, descriptor: number): FsDirectory {
    return new FsDirectory(root, path, descriptor);
  }

  static checked(root: RootPaths, path: string): FsDirectory {
    const directory = new FsDirectory(root, path, undefined);
    directory.verify();
    return directory;
  }

  /** System path of an entry, to be used with calls that do not follow a final link, and followed by `verify`. */
  child(name: string): string {
    return `${this.#base}/${name}`;
  }

  /** Entries without `.` and `..`. */
  list(): { name: string; kind: EntryKind }[] {
    const entries = translating(this.path, () => readdirSync(this.#base, { withFileTypes: true }));
    this.verify();
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
  }

  stat(name: string): Stats | undefined {
    const path = joinPath(this.path, name);
    const stats = translating(path, () => lstatSync(this.child(name), { throwIfNoEntry: false }));
    this.verify();
    return stats;
  }

  /** Makes a directory if it is not there and opens it. */
  enterOrMake(name: string): FsDirectory {
    try {
      mkdirSync(this.child(name));
    } catch (error) {
      if (systemCode(error) !== "EEXIST") throw error;
    }
    this.verify();
    return this.enter(name);
  }

  /** Opens a directory in this one; a link that has taken its place is refused, so nothing needs to be verified again. */
  enter(name: string): FsDirectory {
    const path = joinPath(this.path, name);
    if (this.#descriptor === undefined) return FsDirectory.checked(this.#root, path);
    return FsDirectory.pinned(
      this.#root,
      path,
      translating(path, () => openSync(this.child(name), readFlags | directoryOnly)),
    );
  }

  /** Without a descriptor: throws OutsideRoot when the directory is no longer where it was. */
  verify(): void {
    if (this.#descriptor !== undefined) return;
    const expected = this.#root.absolute(this.path);
    const actual = translating(this.path, () => realpathSync.native(expected));
    if (identityOf(actual, this.#root.folding) !== identityOf(expected, this.#root.folding)) {
      throw new ProjectFilesError("OutsideRoot", { path: this.path });
    }
    if (!lstatSync(actual).isDirectory()) throw new ProjectFilesError("NotADirectory", { path: this.path });
  }

  /** The descriptor for fsync, where there is one. */
  get descriptor(): number | undefined {
    return this.#descriptor;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
  }
}

/**
 * The directories from where a pass over a tree began down to where it is stay open: each is opened from the one above it, which
 * is cheaper than asking the kernel every time where a path has led. Close it.
 */
export class DirectoryTrail {
  readonly #root: { openDirectory(path: string): FsDirectory };
  readonly #open: FsDirectory[] = [];

  constructor(root: { openDirectory(path: string): FsDirectory }) {
    this.#root = root;
  }

  /** @throws NotFound, NotADirectory, OutsideRoot (swapped) */
  enter(path: string): FsDirectory {
    for (let top = this.#open.at(-1); top !== undefined; top = this.#open.at(-1)) {
      if (top.path === path) return top;
      if (top.path === parentOf(path) && path !== "") return this.#push(top.enter(nameOf(path)));
      top.close();
      this.#open.pop();
    }
    return this.#push(this.#root.openDirectory(path));
  }

  #push(directory: FsDirectory): FsDirectory {
    this.#open.push(directory);
    return directory;
  }

  close(): void {
    for (const directory of this.#open.splice(0)) directory.close();
  }
}

/** What a directory says an entry is. */
export function kindOf(entry: Dirent): EntryKind {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "directory";
  return entry.isSymbolicLink() ? "symlink" : "other";
}

/** Where the kernel shows an open descriptor. By number, because resolving the link `self` each time costs a tenth more. */
export function descriptorPath(descriptor: number): string {
  return `/proc/${process.pid}/fd/${descriptor}`;
}
