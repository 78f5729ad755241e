import type { PatchResult } from "../../../events/agent-tools/patch-result.ts";
import { isDiskFull } from "../../errors/disk-full.ts";
import { isDeviceError } from "../../errors.ts";
import { isProjectFilesError, type ProjectFilesError, type ProjectFilesErrorCode } from "../../files/errors.ts";
import { splitLines } from "../edits/lines/document.ts";
import { AccessError, type AccessErrorCode } from "../errors.ts";
import { saidBySystem } from "../said-by-system.ts";
import type { LinePart } from "../session/disclosed-lines.ts";
import { partsOf } from "./reading/shown-text.ts";
import type { ToolCall } from "./tool-call.ts";

/** Stands between places of a file that are not neighbours, in the `current` of a refusal. */
export const gap = "…\n";

/** A refusal or failure, in words for the caller. */
export interface ToolFailure {
  readonly code: AccessErrorCode;
  readonly message: string;
  readonly candidates?: PatchResult["candidates"];
  /** The text as it is now, where the call was about it. */
  readonly current?: string;
  /** Of a call that came too late for a file: what to call its content now; null: it is not there. */
  readonly currentHash?: string | null;
}

/** What is refused because the file is another than the caller took it for, or is already as the caller wants it. */
const aboutStale: ReadonlySet<AccessErrorCode> = new Set([
  ...(["conflict", "already_exists", "unread", "already_applied", "patch_empty"] as const),
]);

const fromProjectFiles: Record<ProjectFilesErrorCode, AccessErrorCode> = {
  NoProjectFiles: "no_project",
  NotFound: "not_found",
  RootGone: "folder_not_found",
  OutsideRoot: "outside_root",
  InvalidPath: "invalid_path",
  NotAFile: "not_a_file",
  NotADirectory: "not_a_directory",
  TooLarge: "too_large",
  Conflict: "conflict",
  AccessDenied: "no_permission",
  ReadOnly: "read_only",
  PatternRefused: "pattern_refused",
  Cancelled: "cancelled",
  SyncFailed: "storage_failed",
  StorageFailed: "storage_failed",
};

/** Faults of a disk, a right or a service. */
const bySystem: ReadonlySet<AccessErrorCode> = new Set(["no_permission", "storage_failed"] as const);

/** What a call that came to nothing is answered. */
export async function failureOf(error: unknown, call: ToolCall | undefined): Promise<ToolFailure> {
  const known = asAccessError(error);
  const { path, candidates, current } = known.details;
  // The refusal of an edit must not show what reading would not have.
  const maySee = call !== undefined && path !== undefined && (await call.gate.mayShow(path));
  return {
    code: known.code,
    message: call?.redacted(known.message) ?? known.message,
    ...(candidates && maySee && { candidates: [...candidates] }),
    ...(current !== undefined && maySee && (await shownCurrent(call, path, current))),
    ...(maySee && aboutStale.has(known.code) && (await currentHash(call, path))),
  };
}

/** @returns nothing where it cannot be told */
async function currentHash(call: ToolCall, path: string): Promise<Pick<ToolFailure, "currentHash">> {
  try {
    const found = await call.find(await call.canonical(path));
    return { currentHash: found && call.nameOf(found) };
  } catch (error) {
    if (!(error instanceof AccessError) && !isProjectFilesError(error)) throw error;
    return {};
  }
}

/**
 * The text an edit was about, as the file may be shown: without its credentials, which only the whole file tells, and within
 * what the session is given of it. Nothing, when that is used up or the file has changed again.
 */
async function shownCurrent(call: ToolCall, path: string, current: string): Promise<{ readonly current?: string }> {
  const file = await call.open(path).catch((error: unknown) => {
    if (!(error instanceof AccessError) && !isProjectFilesError(error)) throw error;
    return undefined;
  });
  if (file === undefined) return {};
  const whole = file.document.lines.map(({ text, ending }) => text + ending).join("");
  const shown: string[] = [];
  const parts: LinePart[] = [];
  for (const piece of current.split(gap)) {
    const at = whole.indexOf(piece);
    if (at === -1) return {};
    const start = splitLines(whole.slice(0, at)).length;
    const text = file.shownLines.slice(start, start + splitLines(piece).length).join("");
    shown.push(text);
    parts.push(...partsOf(file, start, text));
  }
  if (!call.mayGive(path, parts)) return {};
  const text = shown.join(gap);
  call.noteShown(file.path, file.found.hash, text);
  return { current: text };
}

/** Any error of the layers below as one of this one's closed union. */
export function asAccessError(error: unknown): AccessError {
  if (error instanceof AccessError) return error;
  // Who was asked has broken it off.
  if (isDeviceError(error, "interrupted")) return new AccessError("cancelled", {}, error);
  if (!isProjectFilesError(error)) return new AccessError(isDiskFull(error) ? "disk_full" : "internal", {}, error);
  const code = isDiskFull(error) ? "disk_full" : fromProjectFiles[error.code];
  const path = error.path === undefined ? {} : { path: error.path };
  return new AccessError(code, { ...path, ...why(code, error) }, error);
}

/** What more there is to say: what the system said of a fault of its own; of a pattern, since only who wrote it can mend it. */
function why(code: AccessErrorCode, error: ProjectFilesError): { readonly detail?: string } {
  if (code === "pattern_refused") return error.detail === undefined ? {} : { detail: `${error.detail}.` };
  const said = bySystem.has(code) ? saidBySystem(error) : [];
  return said.length === 0 ? {} : { detail: said.join(" ") };
}

/**
 * A failure as the answer of a tool that edits: nothing was changed, and there is no version. `conflict` is true for
 * the code `conflict` alone.
 */
export function refusal({ code, message, candidates, current }: ToolFailure): PatchResult {
  return {
    success: false,
    message,
    conflict: code === "conflict",
    diff: null,
    versionId: null,
    files: [],
    code,
    ...(candidates && { candidates }),
    ...(current !== undefined && { current }),
  };
}
