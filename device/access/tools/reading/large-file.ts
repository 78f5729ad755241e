import { createHash } from "node:crypto";
import type { FileToolInput } from "../../../../events/agent-tools/file-tools.ts";
import { wholeCharacters } from "../../../../shared/text/whole-characters.ts";
import type { TextPart } from "../../../files/text/placed-text.ts";
import type { LargeFile, LargeText } from "../../reading/large-text.ts";
import type { ToolCall } from "../tool-call.ts";
import { cutLine, type ReadFileResult, refuseLines, type ShownText } from "./shown-text.ts";

const partly = "The file is large: credentials are looked for around what is shown, and it cannot be changed here.";

/** As `showLines`, for lines that exist. @param startLine 1-based, inclusive as `endLine` */
export async function showLargeLines(
  call: ToolCall,
  { path, text }: LargeFile,
  { startLine, endLine }: Pick<FileToolInput<"read_lines">, "startLine" | "endLine">,
): Promise<ShownText> {
  refuseLines(path, { startLine, endLine }, text.totalLines);
  const { maxResultChars } = call.profile;
  const found = await text.fromLine(startLine, maxResultChars + 1);
  const lines: string[] = [];
  let chars = 0;
  for (const line of linesOf(found.text, text).slice(0, endLine - startLine + 1)) {
    chars += line.length;
    if (chars > maxResultChars) break;
    lines.push(line);
  }
  const notes: string[] = [];
  const last = Math.min(endLine, text.totalLines);
  let shown = lines.join("");
  let end = startLine + lines.length - 1;
  let nextChar: number | undefined;
  if (lines.length === 0) {
    shown = wholeCharacters(found.text, maxResultChars);
    end = startLine;
    nextChar = found.startUnit + shown.length;
    notes.push(cutLine(startLine, `begins at character ${found.startUnit}`, shown.length, nextChar));
  }
  if (end < last) notes.push(`Lines ${end + 1} to ${last} are not shown: the limit is ${maxResultChars} characters.`);
  const part = { text: shown, startUnit: found.startUnit };
  const given = await showPart(call, { path, text }, part, { startLine, endLine: end, notes });
  return { ...given, ...(nextChar !== undefined && { nextChar }) };
}

/** The beginning of a large file. An outline would need all of it. */
export async function largeExcerpt(call: ToolCall, file: LargeFile, maxLines: number): Promise<ShownText> {
  const endLine = Math.min(maxLines, call.profile.linesWithoutApproval, file.text.totalLines);
  const shown = await showLargeLines(call, file, { startLine: 1, endLine });
  const { totalLines } = file.text;
  if (shown.endLine >= totalLines) return shown;
  const note = `Lines ${shown.endLine + 1} to ${totalLines} are not shown, and have no outline; read_lines gives them.`;
  return { ...shown, notes: [...shown.notes.filter((each) => !each.includes("are not shown")), note] };
}

/** A page by characters of the file as it is; a credential at its edge is there as its mark. */
export async function largePage(
  call: ToolCall,
  { path, text }: LargeFile,
  { startChar, maxChars }: Pick<FileToolInput<"read_file">, "startChar" | "maxChars">,
): Promise<ReadFileResult> {
  const length = Math.min(maxChars ?? call.profile.maxResultChars, call.profile.maxResultChars);
  const found = await text.fromUnit(Math.min(startChar, text.totalUnits), length);
  const whole = wholeCharacters(found.text, found.text.length);
  // Where no more than half of one is asked for it is given: a page without anything leads nowhere.
  const part = whole === "" ? found : { ...found, text: whole };
  const end = part.startUnit + part.text.length;
  const startLine = await text.lineOf(part.startUnit);
  const endLine = startLine + Math.max(0, linesOf(part.text, text).length - 1);
  const lineStart = (await text.fromLine(startLine, 1)).startUnit;
  const notes = [`Characters ${part.startUnit} to ${end} of ${text.totalUnits}.`];
  const from = part.startUnit - lineStart;
  const shown = await showPart(call, { path, text }, part, { startLine, endLine, notes, from });
  return {
    ...shown,
    form: "page",
    totalChars: text.totalUnits,
    ...(end < text.totalUnits && { nextChar: end }),
  };
}

/** With their endings. The whole file says what ends a line, a part of it may have none. */
const linesOf = (part: string, { lineBreak }: LargeText) =>
  part.match(lineBreak === "\n" ? /[^\n]*\n|[^\n]+$/g : /[^\r]*\r|[^\r]+$/g) ?? [];

interface Around {
  readonly startLine: number;
  readonly endLine: number;
  readonly notes: readonly string[];
  /** Characters of the first line before the part. */
  readonly from?: number;
}

async function showPart(
  call: ToolCall,
  { path, text }: LargeFile,
  part: TextPart,
  { startLine, endLine, notes, from = 0 }: Around,
): Promise<ShownText> {
  const { text: shown, count } = await text.shown(part);
  const parts = linesOf(shown, text).map((line, index) => ({
    hash: text.hash,
    line: startLine + index,
    ...(index === 0 && from > 0 && { from }),
    text: line.replace(/\r?\n$|\r$/, ""),
  }));
  await call.give(path, parts);
  const tokens = await call.charge(shown);
  call.noteShown(path, text.hash, shown);
  const marked = count === 0 ? [] : [`${count} credentials are replaced by ⟦redacted:…⟧.`];
  return {
    path,
    // Nobody has looked for credentials in all of it.
    hash: call.nameOf({ hash: text.hash }),
    totalLines: text.totalLines,
    startLine,
    endLine,
    rangeHash: createHash("sha256").update(shown).digest("hex"),
    text: shown,
    tokens,
    redactions: count,
    notes: [...notes, ...marked, partly],
  };
}
