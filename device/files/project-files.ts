import type { EntryKind, FileMetadata } from "./file-metadata.ts";
import type { GrepOptions, GrepStream } from "./grep/grep-types.ts";
import type { MaterializedView, MaterializeOptions } from "./materialize/materialize-types.ts";
import type { NameFolding } from "./paths/containment.ts";
import type { FileWalk, WalkOptions } from "./walk/walk-types.ts";

/**
 * The one abstraction over a project's files. Nothing above it touches `node:fs`.
 *
 * **Paths** are strings relative to the root, separated by `/`; `""` and `"."` are the root; `.` and `..` are resolved
 * lexically. Every method MUST refuse, before anything is touched, a path that is absolute, leaves the root through
 * `..`, holds NUL or a lone surrogate, names a drive or a UNC share (`InvalidPath` or `OutsideRoot`), and on Windows an
 * alternate data stream, a device name or a trailing dot or space. It MUST NOT refuse anything else: `[...slug]`,
 * quotes, NBSP, emoji, `..foo` and `a..b` are names.
 *
 * **Containment** is decided on the path with its symlinks resolved, segment by segment, and holds at the moment of use:
 * a directory swapped for a symlink between check and use is refused (`OutsideRoot`), never followed.
 *
 * **Symlinks** that stay inside are followed by read, write, metadata and exists; `delete` and `rename` act on the link
 * itself; `walk` and `grep` do not follow links and count them.
 *
 * **Directories** exist at least as long as a file lies in them. Whether an empty one lingers is the backend's affair.
 *
 * **A root that is away** (an unplugged drive, a folder that was moved) is `RootGone`, never `NotFound`: nothing in it was deleted.
 *
 * **Errors** are `ProjectFilesError` with a code of the closed union in `errors.ts`; no other error leaves a backend.
 */
export interface ProjectFiles {
  /** What a person may be shown as the root: a directory, `s3://bucket/prefix`, `<memory>`, `<no project>`. */
  readonly displayRoot: string;
  /** Which spellings of a name are the same file here: `identityOf` says whether two paths are. */
  readonly folding: NameFolding;
  /** True when write, delete and rename are refused (`ReadOnly`), whatever the storage would allow. */
  readonly isReadOnly: boolean;

  /**
   * The whole file, or the bytes of `range`.
   * @throws NotFound, NotAFile, TooLarge (larger than `maxBytes` or the backend's limit), OutsideRoot, InvalidPath
   */
  read(path: string, options?: ReadOptions): Promise<Uint8Array>;

  /**
   * Replaces or creates a file and its parent directories. Other readers see the old bytes or the new ones, never a
   * mixture. Mode, hard links and a symlink on the way are kept; a file with several hard links is therefore
   * overwritten in place, the one case that is not atomic.
   * @throws NotAFile (a directory is there), NotADirectory (a file lies on the way), Conflict (`ifVersion` does not hold),
   * AccessDenied (also for a file that nobody may write: see `refuseReadOnly`)
   */
  write(path: string, bytes: Uint8Array, options?: WriteOptions): Promise<void>;

  /** Whether a file or directory is there. A refused path throws, it is not "false". */
  exists(path: string): Promise<boolean>;

  /** @throws NotFound, OutsideRoot, InvalidPath */
  metadata(path: string): Promise<FileMetadata>;

  /**
   * The entries of one directory, sorted by name (UTF-16 code units), not recursive, nothing left out.
   * @throws NotFound, NotADirectory
   */
  listDir(path: string): Promise<DirEntry[]>;

  /**
   * All regular files under the root (or `under`), depth first, names in code-unit order, so that the last path seen is
   * a cursor (`after`). Ignore rules are obeyed and ignored directories are not entered. What is left out is counted in
   * `omitted`. Memory is bounded by the largest directory times the depth.
   */
  walk(options?: WalkOptions): FileWalk;

  /** Removes a file or a symlink. @throws NotFound, NotAFile (a directory), Conflict (`ifVersion`) */
  delete(path: string, options?: DeleteOptions): Promise<void>;

  /**
   * Moves a file, symlink or directory; creates parent directories; never replaces what is there.
   * @throws NotFound, Conflict (something is at `to`), InvalidPath (into itself)
   */
  rename(from: string, to: string): Promise<void>;

  /**
   * Lines that match, in walk order, each with its context; binary files (NUL in the first 8,000 bytes, git's rule) are
   * skipped and counted. `pattern` is literal unless `syntax: "regex"`, then RE2 syntax in linear time.
   * @throws PatternRefused, on the first `next()`
   */
  grep(pattern: string, options?: GrepOptions): GrepStream;

  /** A real directory for subprocesses. Close it to copy changes back. @throws NoProjectFiles, TooLarge */
  materialize(options?: MaterializeOptions): Promise<MaterializedView>;

  /**
   * The one spelling a path has here: symlinks resolved, case and normalisation as stored. Parts that do not exist
   * (yet) are kept as given. Decide policy on this, not on what the caller typed.
   * @throws OutsideRoot, InvalidPath
   */
  canonical(path: string): Promise<string>;
}

export interface ReadOptions {
  maxBytes?: number;
  /** Half-open byte range; a range beyond the end gives fewer bytes. `maxBytes` then bounds the range. */
  range?: { startByte: number; endByte: number };
}

export interface WriteOptions {
  /** Only when the stored version is this one; `null`: only when nothing is there. */
  ifVersion?: string | null;
  /** Permission bits for a new file, or to change those of an existing one. */
  mode?: number;
  /** To put back what was there before. */
  evenReadOnly?: boolean;
}

export interface DeleteOptions {
  ifVersion?: string;
}

export interface DirEntry {
  /** Relative to the listed directory: the entry's name. */
  path: string;
  kind: EntryKind;
}

/** A backend that answers from afar: waiting for one answer after another would take most of the time. */
export interface RemoteFiles {
  /** So many may be asked for at the same time. */
  readonly requestsAtOnce: number;
}

/** How many files of a backend are read at the same time, by who reads many. */
export const requestsAtOnce = (files: ProjectFiles | (ProjectFiles & RemoteFiles)): number =>
  "requestsAtOnce" in files ? files.requestsAtOnce : 1;

/** A backend that can take a file piece by piece, so that its size is not bounded by memory. */
export interface StreamingFiles {
  /**
   * Makes a file from pieces; it has its name only once it is whole.
   * @throws Conflict (something is there, and it does not replace it), NotADirectory; an error of `pieces` passes through and
   * leaves nothing behind
   */
  create(path: string, pieces: AsyncIterable<Uint8Array>, options?: CreateOptions): Promise<void>;
}

export interface CreateOptions {
  /** Permission bits. */
  mode?: number;
  /** A file that is there is replaced: other readers see the old bytes or the new ones. */
  replaces?: boolean;
}

/** A backend that has symlinks. */
export interface LinkedFiles {
  /** What a symlink says, as it stands there; undefined when none is at that path (any more). */
  linkTarget(path: string): Promise<string | undefined>;
}

/** Whether a backend has symlinks. */
export function hasLinks<T extends object>(files: T): files is T & LinkedFiles {
  return "linkTarget" in files && typeof files.linkTarget === "function";
}

/** Whether a backend takes files piece by piece. */
export function takesPieces<T extends object>(files: T): files is T & StreamingFiles {
  return "create" in files && typeof files.create === "function";
}
