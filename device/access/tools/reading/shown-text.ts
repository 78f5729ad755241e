import { createHash } from "node:crypto";
import { wholeCharacters } from "../../../../shared/text/whole-characters.ts";
import { textEncodingOf } from "../../../files/text/text-encoding.ts";
import { splitLines } from "../../edits/lines/document.ts";
import { AccessError } from "../../errors.ts";
import type { LinePart } from "../../session/disclosed-lines.ts";
import type { ShownFile, ToolCall } from "../tool-call.ts";

/** A piece of a file as a tool gives it. */
export interface ShownText {
  readonly path: string;
  /** SHA-256 of the whole file as it is on disk; of one with credentials a keyed hash, for this run of the program. */
  readonly hash: string;
  readonly totalLines: number;
  /** 1-based, inclusive; 0 for an empty file. */
  readonly startLine: number;
  readonly endLine: number;
  /** SHA-256 of the lines from `startLine` to `endLine`, for `baseRange`. */
  readonly rangeHash: string;
  readonly text: string;
  /** Tokens of `text`, exactly (o200k). */
  readonly tokens: number;
  /** Credentials taken out of the whole file; of a large one, out of what is shown. */
  readonly redactions: number;
  /** What is not shown, and why. */
  readonly notes: readonly string[];
  /** Of a file that is shown in part. */
  readonly summary?: { readonly text: string; readonly stale: boolean };
  /** The character of the file at which read_file goes on; absent when that has none, or whole lines alone are left. */
  readonly nextChar?: number;
}

export interface ReadFileResult extends ShownText {
  /**
   * `delta`: `text` is a unified diff from what this session has read. `unchanged`: it is what it was, and is left out.
   * `picture`: there is no text.
   */
  readonly form: "whole" | "page" | "delta" | "unchanged" | "picture";
  readonly picture?: { readonly mimeType: string; readonly base64: string };
  readonly totalChars: number;
}

/** @throws AccessError `invalid_arguments` for lines that a file does not have */
export function refuseLines(path: string, lines: { startLine: number; endLine: number }, total: number): void {
  if (lines.endLine < lines.startLine) {
    throw new AccessError("invalid_arguments", { detail: "endLine is before startLine." });
  }
  if (lines.startLine > Math.max(1, total)) {
    throw new AccessError("invalid_arguments", { path, detail: `The file has ${total} lines.` });
  }
}

/**
 * SHA-256 of lines as they are on disk; 0-based, half open. In a document, and in a file with credentials, of what is shown
 * of them: the hash of a line with a short password would give it away.
 */
export function rangeHash(file: ShownFile, start: number, end: number): string {
  const { document, found, shownLines, redactions, isExtracted } = file;
  const from = document.lines[start]?.startByte ?? found.bytes.length;
  const to = document.lines[end - 1]?.endByte ?? from;
  const told = redactions > 0 || isExtracted ? shownLines.slice(start, end).join("") : found.bytes.subarray(from, to);
  return createHash("sha256").update(told).digest("hex");
}

/**
 * Lines `[start, end)` (0-based) of a file as a result: within the backend's limits, counted against the session, with a
 * word about everything that is left out.
 */
export async function showLines(call: ToolCall, file: ShownFile, start: number, end: number): Promise<ShownText> {
  const total = file.shownLines.length;
  const { maxResultChars } = call.profile;
  let chars = 0;
  let last = start;
  while (
    last < Math.min(end, total) &&
    (chars + (file.shownLines[last]?.length ?? 0) <= maxResultChars || last === start)
  ) {
    chars += file.shownLines[last]?.length ?? 0;
    last++;
  }
  let text = file.shownLines.slice(start, last).join("");
  const notes: string[] = [];
  let nextChar: number | undefined;
  if (text.length > maxResultChars) {
    const all = text.length;
    text = wholeCharacters(text, maxResultChars);
    const before = file.shownLines.slice(0, start).reduce((sum, line) => sum + line.length, 0);
    nextChar = before + text.length;
    notes.push(cutLine(start + 1, `has ${all} characters`, text.length, nextChar));
  }
  if (last < Math.min(end, total)) {
    notes.push(
      `Lines ${last + 1} to ${Math.min(end, total)} are not shown: the limit is ${maxResultChars} characters.`,
    );
  }
  const shown = await shownText(call, file, { start, end: last, text, notes, parts: partsOf(file, start, text) });
  return { ...shown, ...(nextChar !== undefined && { nextChar }) };
}

/** @param line 1-based @param about what is known of the line @param nextChar where the rest of it begins in the file */
export const cutLine = (line: number, about: string, shownChars: number, nextChar: number): string =>
  `Line ${line} ${about}; ${shownChars} of it are shown. read_file goes on at character ${nextChar}.`;

/** The lines a piece of text is of. @param start 0-based line @param from characters of that line before the text */
export function partsOf(file: ShownFile, start: number, text: string, from = 0): LinePart[] {
  return splitLines(text).map(({ text: line }, index) => ({
    hash: file.found.hash,
    line: start + index + 1,
    ...(index === 0 && from > 0 && { from }),
    text: line,
  }));
}

/** Edits are exact to the byte: a text that its charset does not give back so is shown as Latin-1, and that is said. */
function otherCharset({ document, isExtracted }: ShownFile): string[] {
  if (isExtracted || (document.encoding !== "latin1" && document.encoding !== "mixed")) return [];
  const charset = textEncodingOf(document.bytes)?.label ?? "windows-1252";
  if (charset === "windows-1252" || charset === "utf-8") return [];
  return [
    `Its text is probably in ${charset}, and is shown byte by byte as Latin-1; search_content finds it by its words.`,
  ];
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly notes: readonly string[];
  /** What of the file the text gives. */
  readonly parts: readonly LinePart[];
}

/** Puts a piece together with what belongs to it, and charges the session for it. */
export async function shownText(
  call: ToolCall,
  file: ShownFile,
  { start, end, text, notes, parts }: Piece,
): Promise<ShownText> {
  const total = file.shownLines.length;
  const isPart = start > 0 || end < total || notes.length > 0;
  const { profile, kit, session } = call;
  const summary = isPart && profile.addsSummary ? kit.summaries.cached(file.path, file.found.hash) : undefined;
  const before = session.seen(file.path);
  const stale = before !== undefined && before.hash !== file.found.hash;
  const all = [
    ...notes,
    ...otherCharset(file),
    ...(file.isExtracted ? ["This is the text that was taken out of the document; it cannot be edited."] : []),
    ...(file.redactions > 0
      ? [`${file.redactions} credentials are replaced by ⟦redacted:…⟧; leave those lines alone.`]
      : []),
    ...(stale ? ["The file has changed since this session read it last."] : []),
  ];
  await call.give(file.path, parts);
  const tokens = await call.charge(text);
  const cutWithin = text.length < file.shownLines.slice(start, end).join("").length;
  session.noteRead(file.path, file.found, isPart || cutWithin ? [start + 1, Math.max(start + 1, end)] : undefined);
  call.noteShown(file.path, file.found.hash, text);
  return {
    path: file.path,
    hash: call.nameOf(file.found),
    totalLines: total,
    startLine: total === 0 ? 0 : start + 1,
    endLine: end,
    rangeHash: rangeHash(file, start, end),
    text,
    tokens,
    redactions: file.redactions,
    notes: all,
    ...(summary && { summary: { text: summary.text, stale: summary.stale } }),
  };
}
