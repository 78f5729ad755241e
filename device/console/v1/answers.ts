import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type AccessErrorCode, accessErrorSentences } from "../../access/errors.ts";
import type { ToolOutcome } from "../../access/file-access.ts";
import type { ToolFailure } from "../../access/tools/tool-failure.ts";
import { hasAlready, type Precondition, tagOf } from "./precondition.ts";
import type { ToolRequest } from "./tool-requests.ts";
import type { Called } from "./use-cases.ts";

/** Each refusal of file access as a status of HTTP; `conflict` and `already_exists` are 412 where a condition failed. */
const statuses: Record<AccessErrorCode, ContentfulStatusCode> = {
  unknown_tool: 404,
  invalid_arguments: 400,
  denied: 403,
  no_permission: 403,
  read_only: 403,
  approval_refused: 403,
  budget_exceeded: 429,
  not_found: 404,
  folder_not_found: 409,
  not_a_file: 409,
  not_a_directory: 409,
  already_exists: 409,
  outside_root: 403,
  invalid_path: 400,
  binary_file: 422,
  too_large: 413,
  unencodable: 422,
  patch_malformed: 422,
  patch_empty: 422,
  no_match: 422,
  ambiguous_match: 422,
  overlapping_edits: 422,
  already_applied: 409,
  placeholder: 422,
  redaction_sentinel: 422,
  conflict: 409,
  unread: 428,
  version_unknown: 404,
  version_pruned: 410,
  pattern_refused: 400,
  write_failed: 503,
  disk_full: 507,
  recovery_needed: 503,
  busy: 503,
  storage_failed: 503,
  not_indexed: 409,
  summary_unavailable: 503,
  audit_broken: 500,
  no_project: 404,
  cancelled: 503,
  internal: 500,
};

/** Refusals of the requests themselves, before any file is thought of. */
export const requestErrors = {
  unauthenticated: [401, "This needs a token: `scouts files token create` makes one."],
  forbidden: [403, "This token is for another right or project."],
  not_found: [404, "There is nothing at this address."],
  invalid_path: [400, accessErrorSentences.invalid_path],
  invalid_request: [400, "The request is not as this address takes it."],
  unsupported_media_type: [415, "The body is taken as text/plain; a patch as any text type."],
  precondition_required: [428, "A change says which content it was made against."],
} as const satisfies Record<string, readonly [ContentfulStatusCode, string]>;
export type RequestErrorCode = keyof typeof requestErrors;

/** What a program is told of a failure: the shape of the console's API, with what an editor needs to go on. */
export interface HttpFailure {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** Where an edit could have been meant; lines are 1-based and inclusive. */
    readonly candidates?: ToolFailure["candidates"];
    /** The text as it is now, at the place the edit was about. */
    readonly current?: string;
    /** What the file's content is called now; null: there is none. Absent where it may not be told. */
    readonly currentHash?: string | null;
  };
}

/** @param more behind the code's own sentence */
export function refuse(c: Context, code: RequestErrorCode, more = ""): Response {
  const [status, sentence] = requestErrors[code];
  if (status === 401) c.header("www-authenticate", "Bearer");
  return c.json({ error: { code, message: `${sentence} ${more}`.trim() } } satisfies HttpFailure, status);
}

/** A refusal of file access, as an answer. @param retryAfterMs of an allowance that was used up */
function failed(
  c: Context,
  { code, message, candidates, current, currentHash }: ToolFailure,
  { condition, retryAfterMs }: { readonly condition?: Precondition["kind"]; readonly retryAfterMs: number },
): Response {
  const isStale =
    (code === "conflict" && condition !== undefined) || (code === "already_exists" && condition === "absent");
  if (typeof currentHash === "string") c.header("etag", tagOf(currentHash));
  if (code === "budget_exceeded") c.header("retry-after", String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  if (code === "busy") c.header("retry-after", "1");
  const error = {
    ...{ code, message },
    ...(candidates && { candidates }),
    ...(current !== undefined && { current }),
    ...(currentHash !== undefined && { currentHash }),
  };
  return c.json({ error } satisfies HttpFailure, isStale ? 412 : statuses[code]);
}

/** What a tool gave or refused, as an answer. @param condition of a request that changes a file */
export function answerOf(
  c: Context,
  { tool, args }: ToolRequest,
  { outcome, retryAfterMs }: Called,
  condition: Precondition["kind"] | undefined,
): Response {
  if (outcome.ok) return given(c, outcome);
  const { code, currentHash } = outcome.error;
  const isThere = code === "already_applied" || code === "patch_empty";
  // Sent twice, or what it is already (RFC 9110 §13.1.1): the file is as it was wanted.
  if (tool === "write_file" && isThere && typeof currentHash === "string") {
    c.header("etag", tagOf(currentHash));
    const message = "It is so already.";
    return c.json({ path: args["path"], hash: currentHash, versionId: null, message, diff: null });
  }
  return failed(c, outcome.error, { ...(condition && { condition }), retryAfterMs });
}

function given(c: Context, { result }: Extract<ToolOutcome, { ok: true }>): Response {
  if ("success" in result) {
    const { files, message, versionId, diff } = result;
    const [file] = files;
    if (file?.hash) c.header("etag", tagOf(file.hash));
    const moved = files.length > 1 ? { moved: files } : {};
    return c.json({ path: file?.path, hash: file?.hash ?? null, versionId, message, diff, ...moved });
  }
  if (!("hash" in result)) return c.json(result);
  c.header("etag", tagOf(result.hash));
  if (hasAlready(c.req.header("if-none-match"), result.hash)) return c.body(null, 304);
  const isWhole = "form" in result && result.form === "whole";
  // A program weighs them (RFC 9110 §12.5.1).
  const form = accepts(c, {
    header: "Accept",
    supports: ["application/json", "text/plain"],
    default: "application/json",
  });
  if (form !== "text/plain") return c.json(result);
  if (isWhole) return c.text(result.text);
  return failed(
    c,
    {
      code: "too_large",
      message: "It is too long to be given whole: ask for JSON, page by page (startChar, nextChar).",
    },
    { retryAfterMs: 0 },
  );
}
