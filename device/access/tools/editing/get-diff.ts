import type { FileToolInput } from "../../../../events/tools.ts";
import { parseDocument } from "../../edits/lines/document.ts";
import { AccessError } from "../../errors.ts";
import { unifiedDiff } from "../../reading/unified.ts";
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

export async function getDiff(call: ToolCall, input: FileToolInput<"get_diff">): Promise<GetDiffResult> {
  const path = await call.canonical(input.path);
  await call.gate.check("read", path);
  const from = input.v1 === undefined ? beforeLastChange(call, path) : versionOf(call, path, input.v1);
  const to = input.v2 === undefined ? undefined : versionOf(call, path, input.v2);
  const after = to === undefined ? ((await call.find(path))?.bytes ?? null) : contentOf(call, to);
  const [before, now] = [contentOf(call, from), after].map((bytes) =>
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
  return { path, from: from.id, to: to?.id ?? workingTree, diff, tokens: await call.charge(diff), notes };
}

/** @throws AccessError `version_unknown` */
export function versionOf(call: ToolCall, path: string, id: string): FileVersion {
  const version = call.kit.store.versions.get(id);
  if (version === undefined || version.path !== path) throw new AccessError("version_unknown", { path });
  return version;
}

/** Null: the file was not there. @throws AccessError `version_pruned` */
export function contentOf(call: ToolCall, { hash, path }: FileVersion): Uint8Array | null {
  if (hash === null) return null;
  const bytes = call.kit.store.contents.get(hash);
  if (bytes === undefined) throw new AccessError("version_pruned", { path });
  return bytes;
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
