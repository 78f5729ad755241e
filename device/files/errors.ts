/** Every way an operation on a project's files can fail. Closed: a caller may switch over it exhaustively. */
export const projectFilesErrorCodes = [
  /** There is no project (NullProjectFiles). */
  "NoProjectFiles",
  /** Nothing is stored under that path. */
  "NotFound",
  /** The root itself is not there (any more): an unplugged drive, a folder that was moved. Nothing is known of its files. */
  "RootGone",
  /** The path, or a symlink on the way, leads out of the root, or changed into one while it was being used. */
  "OutsideRoot",
  /** The string is not a path this backend can hold: NUL, drive letter, UNC, device name, too long … */
  "InvalidPath",
  /** A file was needed and something else is there. */
  "NotAFile",
  /** A directory was needed and something else is there. */
  "NotADirectory",
  /** The file is larger than the limit given or the backend's own. */
  "TooLarge",
  /** What is stored is not what the caller said it had seen. */
  "Conflict",
  /** The system refused: permission, read-only disk. */
  "AccessDenied",
  /** The project was linked for reading only. */
  "ReadOnly",
  /** A search pattern that is not in the linear-time syntax, or too big. */
  "PatternRefused",
  /** The caller's AbortSignal fired. */
  "Cancelled",
  /** Copying a materialised view back failed; the report says what was done before. */
  "SyncFailed",
  /** Disk, network or engine fault; `cause` has the original. */
  "StorageFailed",
] as const;

export type ProjectFilesErrorCode = (typeof projectFilesErrorCodes)[number];

const sentences: Record<ProjectFilesErrorCode, string> = {
  NoProjectFiles: "no project is open",
  NotFound: "no such file or directory",
  RootGone: "the folder itself is not there",
  OutsideRoot: "the path leads out of the project",
  InvalidPath: "not a usable path",
  NotAFile: "not a regular file",
  NotADirectory: "not a directory",
  TooLarge: "larger than the limit",
  Conflict: "changed or created by someone else meanwhile",
  AccessDenied: "the system refused access",
  ReadOnly: "linked for reading only",
  PatternRefused: "the search pattern is not accepted",
  Cancelled: "cancelled",
  SyncFailed: "changes could not be copied back",
  StorageFailed: "the storage failed",
};

/**
 * The one error class of `device/files`. `message` may quote the path, so it is content: show it to the person who owns
 * the files, never log it in the cloud.
 */
export class ProjectFilesError extends Error {
  override readonly name = "ProjectFilesError";
  readonly code: ProjectFilesErrorCode;
  /** Project path the operation was about, as the caller spelled it. */
  readonly path: string | undefined;
  /** What exactly was wrong, in a few words; may quote what the caller gave. */
  readonly detail: string | undefined;

  constructor(code: ProjectFilesErrorCode, options: { path?: string; detail?: string; cause?: unknown } = {}) {
    const about = options.path === undefined ? "" : ` ${JSON.stringify(options.path)}`;
    const detail = options.detail === undefined ? "" : ` (${options.detail})`;
    super(`${code}:${about} ${sentences[code]}${detail}`, { cause: options.cause });
    this.code = code;
    this.path = options.path;
    this.detail = options.detail;
  }

  /** What is the matter, for a person who is shown the path beside it. */
  get sentence(): string {
    return `${sentences[this.code]}${this.detail === undefined ? "" : ` (${this.detail})`}`;
  }
}

/** True for a ProjectFilesError with one of `codes` (any code when none are named). */
export function isProjectFilesError(error: unknown, ...codes: ProjectFilesErrorCode[]): error is ProjectFilesError {
  return error instanceof ProjectFilesError && (codes.length === 0 || codes.includes(error.code));
}

/** Throws `Cancelled` when the signal has fired. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ProjectFilesError("Cancelled", { cause: signal.reason });
}
