/** Every way a call can fail. Closed: a caller may switch over it exhaustively. Sentences name no content. */
export const accessErrorSentences = {
  unknown_tool: "There is no tool of that name.",
  invalid_arguments: "The arguments do not match what the tool accepts.",
  denied: "The policy does not allow this.",
  approval_refused: "The approval this needs was not given.",
  budget_exceeded: "The session has used up its allowance.",
  no_permission: "The permissions there do not let Scouts do that; change those of the file and its folder.",
  read_only: "The project is linked for reading only; link it again with --writable to change its files.",
  not_found: "There is no such file or directory.",
  folder_not_found:
    "The project's folder is not there; nothing in it was taken for deleted. Bring it back (is its drive connected?), or link the project to where it is now: scouts project link.",
  not_a_file: "A regular file is needed there.",
  not_a_directory: "A directory is needed there.",
  already_exists: "There is a file at that path already; it is not overwritten.",
  outside_root: "The path leads out of the project.",
  invalid_path: "That is not a usable path.",
  binary_file: "The file is not text.",
  too_large: "That is larger than the limit.",
  unencodable: "The text cannot be written in the file's encoding.",
  patch_malformed: "The patch cannot be read.",
  patch_empty: "The patch changes nothing.",
  no_match: "The lines the edit is about are not in the file.",
  ambiguous_match: "The lines the edit is about are in the file more than once.",
  overlapping_edits: "Two parts of the edit are about the same lines.",
  already_applied: "The file already has the content the edit would give it.",
  placeholder: "The edit leaves out code and says so in a comment; write the code itself.",
  redaction_sentinel: "The text holds a placeholder that stands for a removed credential; leave such lines alone.",
  conflict: "The file has changed since it was read.",
  unread: "The file exists and has not been read in this session; read it before replacing it.",
  version_unknown: "There is no such version of that file.",
  version_pruned: "The content of that version is no longer kept.",
  pattern_refused: "The search pattern is not accepted.",
  write_failed: "The change could not be written; nothing was changed.",
  disk_full: "The disk is full; free some space and try again.",
  recovery_needed: "A change was interrupted and could not be undone yet; it will be at the next start.",
  busy: "Another process is changing this project; try again.",
  storage_failed: "The storage failed.",
  not_indexed: "There is no search index of this folder; one is made when it is linked to a project.",
  summary_unavailable: "No summary could be made.",
  audit_broken: "The audit trail was changed or damaged: its chain of hashes is broken.",
  no_project: "No project is open.",
  cancelled: "The call was cancelled.",
  internal: "Something unexpected went wrong.",
} as const satisfies Record<string, string>;

export type AccessErrorCode = keyof typeof accessErrorSentences;

/** Where an edit could have been meant, so that the caller can say which. Lines are 1-based and inclusive. */
export interface Candidate {
  readonly startLine: number;
  readonly endLine: number;
}

export interface AccessErrorDetails {
  /** Project path the call was about. */
  readonly path?: string;
  /** More exact words, after the code's sentence. Content: for the person and the model, never for a cloud log. */
  readonly detail?: string;
  readonly candidates?: readonly Candidate[];
  /** The text as it is now, at the place the edit is about. */
  readonly current?: string;
}

/** The one error of `device/access`. `message` may quote paths and content: it goes to the caller, never to a cloud log. */
export class AccessError extends Error {
  override readonly name = "AccessError";
  readonly code: AccessErrorCode;
  readonly details: AccessErrorDetails;

  constructor(code: AccessErrorCode, details: AccessErrorDetails = {}, cause?: unknown) {
    const about = details.path === undefined ? "" : `${JSON.stringify(details.path)}: `;
    const detail = details.detail === undefined ? "" : ` ${details.detail}`;
    super(`${about}${accessErrorSentences[code]}${detail}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
  }

  /** The same error about `path`, unless it names one already. */
  about(path: string): AccessError {
    if (this.details.path !== undefined) return this;
    return new AccessError(this.code, { ...this.details, path }, this.cause);
  }
}

/** True for an AccessError with one of `codes` (any code when none are named). */
export function isAccessError(error: unknown, ...codes: AccessErrorCode[]): error is AccessError {
  return error instanceof AccessError && (codes.length === 0 || codes.includes(error.code));
}
