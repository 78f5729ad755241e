export interface MaterializeOptions {
  /** Only files these patterns choose (see `WalkOptions.globs`). The others are neither copied nor touched. */
  globs?: readonly string[];
  /** Larger files are left out and listed in `leftOut`. */
  maxFileBytes?: number;
  /** More than this in all: `TooLarge`, nothing is left on disk. Default 1 GiB. */
  maxTotalBytes?: number;
  /** Parent of the temporary directory. Default: a folder of the system's temporary directory. */
  temporaryRoot?: string;
  signal?: AbortSignal;
}

/**
 * A directory that holds the project's files. For the file system it is the project itself; for other backends a private
 * copy (0700) that is removed on close, when the process exits, or after a crash by the next `removeAbandonedViews`.
 */
export interface MaterializedView extends AsyncDisposable {
  /** Absolute directory. */
  readonly root: string;
  /** True when the directory is the project itself, so that there is nothing to copy back. */
  readonly isProject: boolean;
  /** Files not copied because of `maxFileBytes` or because this disk cannot hold their name. */
  readonly leftOut: readonly string[];
  /** What `close` would do now. Changes nothing. */
  plan(): Promise<SyncReport>;
  /**
   * Copies changes back, removes the directory. Calling it again gives the same report.
   * @throws SyncFailed: the directory is kept, so that `close` can be tried again or `discard` called
   */
  close(): Promise<SyncReport>;
  /** Removes the directory without copying anything back. */
  discard(): Promise<void>;
}

/** One decision of the three-way comparison between base, view and store. */
export type SyncChange =
  | { path: string; action: "create" | "update" | "delete" }
  | {
      path: string;
      action: "conflict";
      /** Who did what since the view was made. */
      reason: "both-changed" | "changed-here-deleted-there" | "deleted-here-changed-there" | "both-created" | "blocked";
      /** Where the view's version was put, when it has one. The store's version stays at `path`. */
      keptBeside: string | undefined;
    }
  | {
      path: string;
      action: "skip";
      /** Links and special files do not travel back, nor names the store cannot hold. */
      reason: "symlink" | "special" | "unaddressable";
    };

export interface SyncReport {
  changes: readonly SyncChange[];
  /** False for a plan. */
  applied: boolean;
}
