import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import type { PatchResult } from "../../../../events/agent-tools/patch-result.ts";
import { sentinelIn } from "../../../../shared/privacy/redaction/redact.ts";
import { contentHash } from "../../../files/content-hash.ts";
import type { FoundFile } from "../../changes/file-on-disk.ts";
import { newContent, refuseNul } from "../../edits/edit-file.ts";
import { applyLineEdits, parseDocument, splitLines } from "../../edits/lines/document.ts";
import { lineChanges } from "../../edits/lines/line-diff.ts";
import { AccessError } from "../../errors.ts";
import type { ToolCall } from "../tool-call.ts";
import { commitEdit } from "./commit-edit.ts";
import { beginningOf, type PlannedEdit, planReplacement, refuseSentinel } from "./plan-edit.ts";

/**
 * Gives a file the content named, or adds it at its end (`mode: "append"`), and makes the file where there is none. A
 * model must have read a file before it replaces it, and `baseHash` holds the write to the content that was read.
 *
 * @throws AccessError `already_exists` (`mode: "create"`), `unread`, `conflict` (also when the file that `baseHash` names, or
 * that this session has read, is gone), `already_applied`, `patch_empty` (the file would stay as it is), `placeholder`, `redaction_sentinel`,
 * `unencodable`, `binary_file`, `not_a_file`; also those of {@link ToolCall.find} and {@link commitEdit}
 */
export async function writeFile(call: ToolCall, input: FileToolInput<"write_file">): Promise<PatchResult> {
  const path = await call.canonical(input.path);
  if (path === "") throw new AccessError("not_a_file", { path: input.path });
  const { content, mode, baseHash } = input;
  return commitEdit(call, [path], async (): Promise<PlannedEdit> => {
    const current = await call.find(path);
    const text = current !== null && call.session.isEditor ? withMarkedLines(call, path, current, content) : content;
    refuseSentinel(text, current, path);
    try {
      if (current === null) {
        // Who has taken away what this session has read does not want it back as it was.
        if (baseHash !== undefined || (mode !== "create" && call.session.seen(path) !== undefined)) {
          throw new AccessError("conflict", { detail: 'It is no longer there; mode "create" makes it anew.' });
        }
        return { changes: [{ path, before: null, after: { bytes: newContent(content) } }], notes: [] };
      }
      if (mode === "create") {
        // An editor's that is sent again because its answer was lost: what was wanted is there.
        const isThere = call.session.isEditor && contentHash(newContent(content)) === current.hash;
        throw isThere
          ? new AccessError("already_applied")
          : new AccessError("already_exists", { current: beginningOf(current) });
      }
      call.kit.documents.refuseEdit(path);
      if (mode === "append") {
        return { changes: [{ path, before: current, after: { bytes: appended(current, content) } }], notes: [] };
      }
      return planReplacement(call, path, current, text, baseHash);
    } catch (error) {
      throw error instanceof AccessError ? error.about(path) : error;
    }
  });
}

/**
 * What an editor gives back of a file with credentials: lines that are as they were shown are as they were, those with a
 * credential's mark too. A mark that stands elsewhere stays one, and is refused.
 */
function withMarkedLines(call: ToolCall, path: string, current: FoundFile, content: string): string {
  if (sentinelIn(content) === undefined) return content;
  const { shownLines, document } = call.shown(path, current);
  const shown = shownLines.map((line) => splitLines(line)[0]?.text ?? "");
  const wanted = splitLines(content);
  const given = wanted.map(({ text }) => text);
  const kept: string[] = [];
  let at = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of lineChanges(shown, given, { isOverdue: call.deadline() })) {
    for (; at < oldStart; at++) kept.push(document.lines[at]?.text ?? "");
    kept.push(...given.slice(newStart, newEnd));
    at = oldEnd;
  }
  kept.push(...document.lines.slice(at).map(({ text }) => text));
  return kept.map((text, index) => text + (wanted[index]?.ending ?? "")).join("");
}

/** Lines at the end, with the file's line endings; a last line without one gets it first. */
function appended(current: FoundFile, content: string): Uint8Array {
  refuseNul(content);
  const document = parseDocument(current.bytes);
  const lines = splitLines(content).map(({ text, ending }) => ({
    text,
    ending: ending === "" ? ending : ("any" as const),
  }));
  if (lines.length === 0) throw new AccessError("patch_empty");
  const end = document.lines.length;
  return applyLineEdits(document, [{ start: end, end, lines }]);
}
