/** What identifies a file's state: the hash of its content and its permission bits. */
export interface FileState {
  hash: string;
  mode: number;
}

export interface MaterializeOptions {
  /** A private copy also where the files are a directory of this machine already. */
  copy?: boolean;
  /** Other files are not copied, nor listed in `leftOut`. */
  mayCopy?: (path: string) => Promise<boolean>;
  /** Only files these patterns choose (see `WalkOptions.globs`). The others are neither copied nor touched. */
  globs?: readonly string[];
  /** Larger files are left out and listed in `leftOut`. */
  maxFileBytes?: number;
  /** More than this in all: `TooLarge`, nothing is left on disk. Default 1 GiB. */
  maxTotalBytes?: number;
  /** Parent of the temporary directory. Default: the system's, in which no abandoned one is looked for. */
  temporaryRoot?: string;
  signal?: AbortSignal;
}

/**
 * A directory that holds the project's files. For the file system it is the project itself; for other backends a private
 * copy (0700) that is removed on close, when the process exits, or after a crash by the next `removeAbandonedViews`, unless
 * it is kept.
 */
export interface MaterializedView extends AsyncDisposable {
  /** Absolute directory. */
  readonly root: string;
  /** True when the directory is the project itself, so that there is nothing to copy back. */
  readonly isProject: boolean;
  /** Files not copied because of `maxFileBytes`, because they may not be read, or links that lead elsewhere. */
  readonly leftOut: readonly string[];
  /** What `close` would do now. Changes nothing. */
  plan(): Promise<SyncReport>;
  /**
   * Copies changes back, removes the directory. Calling it again gives the same report.
   * @throws SyncFailed: the directory is kept, so that `close` can be tried again or `discard` called
   */
  close(options?: CloseOptions): Promise<SyncReport>;
  /**
   * Has a copy outlive this process, and a crash: what it was made from is on the disk when this returns.
   *
   * @param first what is to lie beside the copy for whoever opens it again, written before it counts as kept
   * @returns the directory to open it again with (`openKeptView`); undefined when there is nothing to keep
   */
  keep(first: (directory: string) => void): Promise<string | undefined>;
  /** Removes the directory without copying anything back. */
  discard(): Promise<void>;
}

export interface CloseOptions {
  /**
   * Only these paths go back, and only in exactly this state of the view (null: not there). Everything else the view
   * changed is a `skip`. Everything goes back when left out.
   */
  approved?: ReadonlyMap<string, FileState | null>;
  /** The copy stays as it is, for what did not go back. */
  keepsCopy?: boolean;
}

/** One decision of the three-way comparison between base, view and store. */
export type SyncChange =
  | {
      path: string;
      action: "create" | "update" | "delete";
      /** As it is in the view. */
      after: FileState | null;
    }
  | {
      path: string;
      action: "conflict";
      /** Who did what since the view was made. */
      reason: "both-changed" | "changed-here-deleted-there" | "deleted-here-changed-there" | "both-created" | "blocked";
      /** Where the view's version was put, when it has one. The store's version stays at `path`. */
      keptBeside: string | undefined;
      /** As it is in the view. */
      after: FileState | null;
    }
  | {
      path: string;
      action: "skip";
      /** Links and special files do not travel back, nor names the store cannot hold, nor what was not approved as it is. */
      reason: "symlink" | "special" | "unaddressable" | "too-large" | "unreadable" | "not-approved" | "changed-since";
    };

export interface SyncReport {
  changes: readonly SyncChange[];
  /** False for a plan. */
  applied: boolean;
}
