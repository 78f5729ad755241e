import type { EntryKind, FileMetadata } from "../file-metadata.ts";
import type { PathStyle } from "../paths/project-path.ts";

/**
 * What a directory says of itself: device and number, when its entries last changed, and when anything about it did, which no
 * program can set. Given only for disks that keep it: there no entry comes, goes or is replaced without another stamp, unless that
 * happens in the same step of the disk's clock as the change before.
 */
export type DirectoryStamp = readonly [device: number, inode: number, mtimeMs: number, ctimeMs: number];

/** An entry of a directory, before anything is left out. */
export interface ListedEntry {
  name: string;
  kind: EntryKind;
  /** Of a file, when the walk fills metadata and the backend has them at hand. */
  metadata?: FileMetadata;
}

export interface WalkOptions {
  /** Directory to walk; the root when left out. */
  under?: string;
  /** Resume behind this path, the last one an earlier walk gave. */
  after?: string;
  /** Obey `.gitignore` files and `.git/info/exclude`. Default true. */
  ignoreRules?: boolean;
  /**
   * A second kind of ignore file, obeyed at every level beside `.gitignore` and whatever that says: what either leaves out
   * is left out. A directory whose file of that name cannot be read is not entered.
   */
  ownIgnoreFile?: string;
  /** Further rules in gitignore syntax, weaker than those in the tree. */
  extraRules?: readonly string[];
  /** Names never entered nor given. Default `[".git"]`. */
  skipNames?: readonly string[];
  /** Extensions without the dot, compared without case: `["ts", "md"]`. */
  extensions?: readonly string[];
  /**
   * Path patterns in gitignore syntax plus `{a,b}`; with `!` in front they exclude. A file must match one of those
   * without `!` (if there are any) and none of those with it.
   */
  globs?: readonly string[];
  /** Fill `FileEntry.metadata`. */
  withMetadata?: boolean;
  /** Stop after this many files; `omitted.limited` then says so. */
  maxFiles?: number;
  /**
   * Told of every directory that is entered, with all its entries, before the first of its files is given; and with its stamp from
   * before they were listed, where the backend has one.
   */
  onDirectory?: (path: string, entries: readonly ListedEntry[], stamp?: DirectoryStamp) => void;
  /** Told of every entry that is left out by its name or kind: the directory it lies in, and what it was counted as. */
  onLeftOut?: (directory: string, countedAs: LeftOutEntry) => void;
  /** Directories it refuses are passed over, unopened and uncounted. Not asked about the one the walk begins at. */
  enters?: (directory: string) => boolean;
  signal?: AbortSignal;
}

export interface FileEntry {
  path: string;
  /** Present when `withMetadata` was asked for. */
  metadata?: FileMetadata;
}

/** What a walk did not give, by reason. */
export interface WalkOmissions {
  /** Files matched by an ignore rule. */
  ignoredFiles: number;
  /** Directories matched by an ignore rule and not entered. */
  ignoredDirectories: number;
  /** Entries named in `skipNames`. */
  skipped: number;
  symlinks: number;
  /** Sockets, pipes, devices. */
  special: number;
  /** Names that no project path can express (not UTF-8, reserved on this system). */
  unaddressable: number;
  /** Not in `extensions` or `globs`. */
  filtered: number;
  /** Gone between listing and use. */
  vanished: number;
  /** Directories or ignore files that may not be read. */
  unreadable: number;
  /** Temporary files of a write in progress. */
  temporary: number;
  /** True when `maxFiles` ended the walk early. */
  limited: boolean;
}

/** What an entry can be counted as that is left out by its name or kind. */
export type LeftOutEntry = Exclude<keyof WalkOmissions, "vanished" | "unreadable" | "limited">;

export interface FileWalk extends AsyncIterable<FileEntry> {
  /** Counts up while the walk proceeds. */
  readonly omitted: Readonly<WalkOmissions>;
}

/**
 * What a backend gives the walk. Answers may be immediate: a promise for every directory would cost more than reading it.
 * `list` and `read` throw ProjectFilesError; NotFound, NotADirectory and OutsideRoot mean "vanished", AccessDenied
 * "unreadable".
 */
export interface WalkSource {
  readonly style: PathStyle;
  readonly foldsCase: boolean;
  list(directory: string): ListedEntry[] | Promise<ListedEntry[]>;
  /** Asked before a directory is listed. Undefined where the disk's own stamps cannot be relied on. */
  stampOf?(directory: string): DirectoryStamp | undefined;
  read(path: string): Uint8Array | Promise<Uint8Array>;
  metadata(path: string): FileMetadata | Promise<FileMetadata>;
  /** Called once, when the walk has ended. */
  close?(): void;
}
