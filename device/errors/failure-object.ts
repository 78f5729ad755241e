import * as z from "zod";
import { isScoutsError } from "../../events/errors.ts";
import { isAccessError } from "../access/errors.ts";
import { isArtifactError } from "../artifacts/errors.ts";
import { isDeviceError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { isProjectFilesError } from "../files/errors.ts";

const place = z.object({ startLine: z.int(), endLine: z.int() });

/**
 * A failure as a program is told it: one object, whatever failed. A refused edit has the fields of its PatchResult beside these
 * (events/agent-tools/patch-result.ts).
 */
export const failureObject = z.looseObject({
  success: z.literal(false),
  /** A code of the closed lists of docs/device.md, of the protocol, of file access, of artifacts; of the system (`EACCES`). */
  code: z.string().min(1),
  /** What happened and why, as a sentence; it may quote paths and content. */
  message: z.string().min(1),
  exitCode: z.literal(Object.values(exitCodes)),
  /** What to do, where `message` does not say it. */
  recovery: z.string().optional(),
  /** What it is about: ids, counts, names. */
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
  /** The file it is about. */
  path: z.string().optional(),
  /** Where an edit could have been meant, 1-based and inclusive. */
  candidates: z.array(place).optional(),
  /** The text as it is now, where the call was about it. */
  current: z.string().optional(),
  /** Whether and how the same call may go well later, where the home said no. */
  retry: z.string().optional(),
  /** What lies beneath: of our own errors and the system's, nothing that could quote a secret. */
  cause: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type FailureObject = z.infer<typeof failureObject>;

/** What an error carries beside code and sentence. */
export type FailureDetails = Pick<
  FailureObject,
  "recovery" | "data" | "path" | "candidates" | "current" | "retry" | "cause"
>;

/** Everything an error of ours knows, as fields. */
export function detailsOf(error: unknown): FailureDetails {
  return { ...ownDetails(error), ...(error instanceof Error && causeOf(error.cause)) };
}

function ownDetails(error: unknown): FailureDetails {
  if (isDeviceError(error)) return dataOf(error.data);
  if (isScoutsError(error)) return { ...dataOf(error.data), retry: error.kind.retry };
  if (isArtifactError(error)) return error.recovery === undefined ? {} : { recovery: error.recovery };
  if (isProjectFilesError(error)) return error.path === undefined ? {} : { path: error.path };
  if (!isAccessError(error)) return {};
  const { path, candidates, current } = error.details;
  return {
    ...(path !== undefined && { path }),
    ...(candidates !== undefined && { candidates: [...candidates] }),
    ...(current !== undefined && { current }),
  };
}

const dataOf = (data: NonNullable<FailureDetails["data"]>): FailureDetails =>
  Object.keys(data).length === 0 ? {} : { data };

/** The first cause that has a code. What a library says may quote what it was given, so its sentence is left out. */
function causeOf(cause: unknown): Pick<FailureDetails, "cause"> {
  if (!(cause instanceof Error)) return {};
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : undefined;
  if (code === undefined) return causeOf(cause.cause);
  const isOurs =
    isDeviceError(cause) ||
    isScoutsError(cause) ||
    isAccessError(cause) ||
    isArtifactError(cause) ||
    isProjectFilesError(cause);
  const isSystems = "syscall" in cause;
  return isOurs || isSystems ? { cause: { code, message: cause.message } } : { cause: { code, message: cause.name } };
}
