import { contentHash } from "../../../files/content-hash.ts";
import { parseDocument } from "../../edits/lines/document.ts";
import { isAccessError } from "../../errors.ts";
import { diffParts } from "../../reading/diff-parts.ts";
import { unifiedDiff } from "../../reading/unified.ts";
import type { ToolCall } from "../tool-call.ts";
import type { PlannedChange } from "./plan-edit.ts";

/** What a change does, as a person is shown it. A file that moves is told once, with what changes in it. */
export function diffOf(call: ToolCall, { path, before, after, movedFrom, movedTo }: PlannedChange): string {
  if (movedTo !== undefined) return "";
  const moved = movedFrom === undefined ? "" : `rename from ${movedFrom.path}\nrename to ${path}\n`;
  const old = movedFrom?.file.bytes ?? before?.bytes;
  const [left, right] = [old, after?.bytes].map((bytes) => (bytes === undefined ? null : textOf(call, bytes)));
  if (left === undefined || right === undefined) return `${moved}Binary file ${path}\n`;
  const diff = unifiedDiff(path, left, right, { isOverdue: call.deadline() });
  return movedFrom === undefined ? diff : moved + diff.replace(`--- a/${path}\n`, () => `--- a/${movedFrom.path}\n`);
}

/** The same for the caller: within what its session is given of the file. What it has written itself it knows. */
export function givenDiff(call: ToolCall, change: PlannedChange, isDone: boolean): string {
  const { path, before, after, movedFrom } = change;
  const diff = diffOf(call, change);
  const hashes = [(movedFrom?.file ?? before)?.hash ?? "", after === null ? "" : contentHash(after.bytes)] as const;
  const { told, added } = diffParts(diff, ...hashes);
  const isOwn = call.tool !== "rollback";
  const name = movedFrom?.path ?? path;
  if (isOwn && isDone) call.session.given(name).know(added);
  if (call.mayGive(name, isOwn ? told : [...told, ...added])) return diff;
  return `--- a/${name}\n+++ b/${path}\n(not shown: the session has been given the lines of it that a ${call.session.backend} model is given)\n`;
}

/** Undefined for what is not text. */
function textOf(call: ToolCall, bytes: Uint8Array): string | undefined {
  try {
    return call.redacted(
      parseDocument(bytes)
        .lines.map(({ text, ending }) => text + ending)
        .join(""),
    );
  } catch (error) {
    if (isAccessError(error, "binary_file")) return undefined;
    throw error;
  }
}
