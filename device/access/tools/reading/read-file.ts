import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import { isWithinCharacter } from "../../../../shared/text/whole-characters.ts";
import { parseDocument } from "../../edits/lines/document.ts";
import { diffParts } from "../../reading/diff-parts.ts";
import { unifiedDiff } from "../../reading/unified.ts";
import type { LinePart } from "../../session/disclosed-lines.ts";
import type { ShownFile, ToolCall } from "../tool-call.ts";
import { largePage } from "./large-file.ts";
import { readPicture } from "./read-picture.ts";
import { partsOf, type ReadFileResult, type ShownText, showLines, shownText } from "./shown-text.ts";

/**
 * A file as the session may see it, without credentials. The whole when it fits in a result, else a page of `maxChars`
 * UTF-16 code units from `startChar` on. A session that has seen the whole file before is given what has changed, or
 * told that nothing has; `full: true` has it given again. A large file is only read by pages, and a picture is given as
 * one.
 *
 * @throws AccessError `not_found`, `binary_file`, `budget_exceeded`, `conflict` (a large file is being written); also
 * those of {@link ToolCall.find}
 */
export async function readFile(call: ToolCall, input: FileToolInput<"read_file">): Promise<ReadFileResult> {
  const large = await call.openLarge(input.path);
  if (large !== undefined) return largePage(call, large, input);
  const picture = await readPicture(call, input.path);
  if (picture !== undefined) return picture;
  const file = await call.open(input.path);
  const totalChars = file.shownLines.reduce((sum, line) => sum + line.length, 0);
  if (!input.full && input.startChar === 0 && input.maxChars === undefined) {
    const known = await sinceLastRead(call, file);
    if (known !== undefined) return { ...known, totalChars };
  }
  const fits = totalChars <= call.profile.maxResultChars;
  if (input.startChar === 0 && (input.maxChars === undefined || input.maxChars >= totalChars) && fits) {
    return { ...(await showLines(call, file, 0, file.shownLines.length)), form: "whole", totalChars };
  }
  const length = Math.min(input.maxChars ?? call.profile.maxResultChars, call.profile.maxResultChars);
  return page(call, file, input.startChar, length, totalChars);
}

/** By characters, so that a file of one line can be read as well; never through the middle of a surrogate pair. */
async function page(
  call: ToolCall,
  file: ShownFile,
  from: number,
  length: number,
  totalChars: number,
): Promise<ReadFileResult> {
  const whole = file.shownLines.join("");
  const start = Math.min(isWithinCharacter(whole, from) ? from - 1 : from, totalChars);
  const until = Math.min(start + length, totalChars);
  const end = isWithinCharacter(whole, until) && until - 1 > start ? until - 1 : until;
  const lineAt = (char: number) => {
    let [line, seen] = [0, 0];
    while (line < file.shownLines.length - 1 && seen + (file.shownLines[line]?.length ?? 0) <= char) {
      seen += file.shownLines[line]?.length ?? 0;
      line++;
    }
    return line;
  };
  const notes = [`Characters ${start} to ${end} of ${totalChars}.`];
  const lines = { start: lineAt(start), end: Math.min(file.shownLines.length, lineAt(Math.max(start, end - 1)) + 1) };
  const text = whole.slice(start, end);
  const before = file.shownLines.slice(0, lines.start).reduce((sum, line) => sum + line.length, 0);
  const parts = partsOf(file, lines.start, text, start - before);
  const shown = await shownText(call, file, { ...lines, text, notes, parts });
  return { ...shown, form: "page", totalChars, ...(end < totalChars && { nextChar: end }) };
}

/** What a session that has seen the whole file needs of it: nothing, or the difference when that is shorter. */
async function sinceLastRead(
  call: ToolCall,
  file: ShownFile,
): Promise<(ShownText & { form: "delta" | "unchanged" }) | undefined> {
  const seen = call.session.seen(file.path);
  if (seen?.whole !== true) return undefined;
  if (seen.hash === file.found.hash) {
    const notes = ["Unchanged since this session read it; set full to have it again."];
    return { ...(await unread(call, file, "", notes, [])), form: "unchanged" };
  }
  if (file.isExtracted) return undefined;
  const before = call.redacted(
    parseDocument(seen.bytes)
      .lines.map(({ text, ending }) => text + ending)
      .join(""),
  );
  const after = file.shownLines.join("");
  const diff = unifiedDiff(file.path, before, after, { isOverdue: call.deadline() });
  if (diff === "" || diff.length > after.length / 2) return undefined;
  const { told, added } = diffParts(diff, seen.hash, file.found.hash);
  const notes = ["The difference from what this session has read."];
  return { ...(await unread(call, file, diff, notes, [...told, ...added])), form: "delta" };
}

async function unread(
  call: ToolCall,
  file: ShownFile,
  text: string,
  notes: readonly string[],
  parts: readonly LinePart[],
): Promise<ShownText> {
  const shown = await shownText(call, file, { start: 0, end: file.shownLines.length, text, notes, parts });
  call.session.noteRead(file.path, file.found);
  return shown;
}
