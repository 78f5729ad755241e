import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import { parseDocument } from "../../edits/lines/document.ts";
import { AccessError, isAccessError } from "../../errors.ts";
import { diffParts } from "../../reading/diff-parts.ts";
import { unifiedDiff } from "../../reading/unified.ts";
import { charsPerLine } from "../../session/disclosed-lines.ts";
import type { FileVersion } from "../../store/access-store.ts";
import type { ToolCall } from "../tool-call.ts";

export interface GetDiffResult {
  readonly path: string;
  /** Version ids; `working tree` for the file as it is. */
  readonly from: string;
  readonly to: string;
  readonly diff: string;
  readonly tokens: number;
  readonly notes: readonly string[];
}

const workingTree = "working tree";

/**
 * How a file has changed, as a unified diff without credentials. From `v1` (or, when not given, the version before the
 * last) to `v2` (or, when not given, the file as it is on disk). A diff that is longer than the backend may be given is
 * cut, and `notes` say so.
 *
 * @throws AccessError `version_unknown` (also when there is no history yet), `version_pruned`, `binary_file`,
 * `budget_exceeded`, `denied`; also those of {@link ToolCall.find}
 */
export async function getDiff(call: ToolCall, input: FileToolInput<"get_diff">): Promise<GetDiffResult> {
  const path = await call.canonical(input.path);
  const from = input.v1 === undefined ? beforeLastChange(call, path) : versionOf(call, path, input.v1);
  const to = input.v2 === undefined ? undefined : versionOf(call, path, input.v2);
  const current = to === undefined ? await call.find(path) : null;
  const after = to === undefined ? (current?.bytes ?? null) : await call.contentOf(to);
  const afterHash = (to === undefined ? current?.hash : to.hash) ?? "";
  const [before, now] = [await call.contentOf(from), after].map((bytes) =>
    bytes === null ? null : call.redacted(textOf(bytes, path)),
  );
  const isOverdue = call.deadline();
  let diff = unifiedDiff(path, before ?? null, now ?? null, { isOverdue });
  const notes = isOverdue() ? ["Comparing took too long: parts are shown as replaced as a whole."] : [];
  const { maxResultChars } = call.profile;
  if (diff.length > maxResultChars) {
    notes.push(`Cut at ${maxResultChars} of ${diff.length} characters.`);
    diff = diff.slice(0, maxResultChars);
  }
  const versions = [from.hash ?? "", afterHash] as const;
  try {
    await call.give(path, partsIn(diff, versions));
  } catch (error) {
    const left = call.session.given(path).left(call.profile.linesWithoutApproval);
    if (!isAccessError(error, "budget_exceeded") || left <= 0) throw error;
    const whole = diff;
    diff = withinLines(diff, left);
    call.session.given(path).give(partsIn(diff, versions));
    notes.push(`Cut at ${diff.length} of ${whole.length} characters. ${error.details.detail ?? ""}`.trim());
  }
  const tokens = await call.charge(diff);
  call.noteShown(path, from.hash, diff, afterHash === "" ? null : afterHash);
  return { path, from: from.id, to: to?.id ?? workingTree, diff, tokens, notes };
}

function partsIn(diff: string, [before, after]: readonly [string, string]) {
  const { told, added } = diffParts(diff, before, after);
  return [...told, ...added];
}

/** The beginning of a diff that gives so many lines at most. */
function withinLines(diff: string, left: number): string {
  let [count, end] = [0, 0];
  for (const line of diff.split(/(?<=\n)/)) {
    count += Math.ceil(line.length / charsPerLine);
    if (count > left) break;
    end += line.length;
  }
  return diff.slice(0, end);
}

/** @throws AccessError `version_unknown` */
export function versionOf(call: ToolCall, path: string, id: string): FileVersion {
  const version = call.kit.store.versions.get(id);
  if (version === undefined || version.path !== path) throw new AccessError("version_unknown", { path });
  return version;
}

function beforeLastChange(call: ToolCall, path: string): FileVersion {
  const [last, previous] = call.kit.store.versions.list(path, 2);
  const version = previous ?? last;
  if (version === undefined) throw new AccessError("version_unknown", { path, detail: "It has no history yet." });
  return version;
}

function textOf(bytes: Uint8Array, path: string): string {
  try {
    return parseDocument(bytes)
      .lines.map(({ text, ending }) => text + ending)
      .join("");
  } catch (error) {
    throw error instanceof AccessError ? error.about(path) : error;
  }
}
