/** Every way an artifact operation can fail. Closed: a caller may switch over it exhaustively. Sentences name no content. */
export const artifactErrorSentences = {
  unknown_tool: "There is no artifact tool of that name.",
  invalid_arguments: "The arguments do not match what the tool accepts.",
  not_found: "There is no such artifact.",
  corrupt: "The artifact's content was changed or damaged since it was stored.",
  locked: "Artifacts are encrypted, and nothing opens them.",
  store_unavailable: "Artifacts cannot be stored or read right now.",
  too_large: "That is larger than the limit.",
  not_text: "The artifact is not text.",
  not_queryable: "Only JSON, JSON Lines and CSV can be queried.",
  query_invalid: "The query is not a JMESPath expression, or does not fit the data.",
  query_overdue: "The query took too long and was stopped.",
  query_too_large: "The query needed too much memory and was stopped.",
  pattern_refused: "The search pattern is not accepted.",
  reference_invalid: "The arguments refer to an artifact that cannot be filled in.",
  template_invalid: "The template cannot be read.",
  not_regenerable: "The call this came from is not run again.",
  cancelled: "The call was cancelled.",
  internal: "Something unexpected went wrong.",
} as const satisfies Record<string, string>;

export type ArtifactErrorCode = keyof typeof artifactErrorSentences;

/** The one error of `device/artifacts`. `message` may quote ids and content: it goes to the caller, never to a cloud log. */
export class ArtifactError extends Error {
  override readonly name = "ArtifactError";
  readonly code: ArtifactErrorCode;
  /** What to do about it, for the model or the person. */
  readonly recovery: string | undefined;

  constructor(code: ArtifactErrorCode, options: { detail?: string; recovery?: string; cause?: unknown } = {}) {
    const detail = options.detail === undefined ? "" : ` ${options.detail}`;
    super(
      `${artifactErrorSentences[code]}${detail}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.recovery = options.recovery;
  }
}

/** True for an ArtifactError with one of `codes` (any code when none are named). */
export function isArtifactError(error: unknown, ...codes: ArtifactErrorCode[]): error is ArtifactError {
  return error instanceof ArtifactError && (codes.length === 0 || codes.includes(error.code));
}
