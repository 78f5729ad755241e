import { AccessError } from "../../errors.ts";
import { type DetectedEncoding, decodeText, detectEncoding, type Encoding, encodeText } from "../encoding.ts";

export type LineEnding = "\n" | "\r\n" | "\r";

export interface Line {
  /** Without its ending. */
  readonly text: string;
  /** "" only for a last line that has none. */
  readonly ending: LineEnding | "";
  /** Byte range with the ending, in the file. */
  readonly startByte: number;
  readonly endByte: number;
}

/** A text file as lines that know their bytes. */
export interface TextDocument extends DetectedEncoding {
  readonly bytes: Uint8Array;
  readonly lines: readonly Line[];
  /** The ending most lines have; LF when there is none. */
  readonly dominantEnding: LineEnding;
}

/** How a patch says a line ends: this way, not at all (""), or in some newline, the file's kind. */
export type StatedEnding = LineEnding | "" | "any";

/** A line an edit puts in; without `ending` it takes that of its surroundings. */
export interface NewLine {
  readonly text: string;
  readonly ending?: StatedEnding;
}

/** Replaces the lines `[start, end)` (0-based, half open). */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly NewLine[];
}

/** @throws AccessError `binary_file` */
export function parseDocument(bytes: Uint8Array): TextDocument {
  const detected = detectEncoding(bytes);
  const text = decodeText(bytes.subarray(detected.bomBytes), detected.encoding);
  const lines: Line[] = [];
  let at = detected.bomBytes;
  for (const { text: line, ending } of splitLines(text)) {
    const length = byteLength(line, detected) + byteLength(ending, detected);
    lines.push({ text: line, ending, startByte: at, endByte: at + length });
    at += length;
  }
  return { ...detected, bytes, lines, dominantEnding: dominantOf(lines) };
}

/**
 * Lines with their endings: LF and CRLF, and CR only in a text without any LF (as old Mac files have it; elsewhere a lone
 * CR is a character of its line, as it is for git).
 */
export function splitLines(text: string): { text: string; ending: LineEnding | "" }[] {
  const separator = text.includes("\n") ? /\r?\n/g : /\r/g;
  const lines: { text: string; ending: LineEnding | "" }[] = [];
  let from = 0;
  for (const match of text.matchAll(separator)) {
    const ending: LineEnding = match[0] === "\r\n" ? "\r\n" : match[0] === "\r" ? "\r" : "\n";
    lines.push({ text: text.slice(from, match.index), ending });
    from = match.index + match[0].length;
  }
  if (from < text.length) lines.push({ text: text.slice(from), ending: "" });
  return lines;
}

function byteLength(text: string, { encoding }: DetectedEncoding): number {
  if (encoding === "utf-8") return Buffer.byteLength(text);
  if (encoding === "latin1" || encoding === "mixed") return text.length;
  return encoding === "utf-16le" || encoding === "utf-16be" ? text.length * 2 : encodeText(text, encoding).length;
}

function dominantOf(lines: readonly Line[]): LineEnding {
  const counts = { "\n": 0, "\r\n": 0, "\r": 0 };
  for (const { ending } of lines) if (ending !== "") counts[ending]++;
  if (counts["\r"] > 0) return "\r";
  return counts["\r\n"] > counts["\n"] ? "\r\n" : "\n";
}

/**
 * The file with the edits made: every byte outside the edited lines is copied, not re-encoded. New lines without an
 * ending of their own take the one of the line they replace, else of the line before, else the file's. A file without a
 * final newline keeps none; the only byte ever added outside an edit is the newline that a last line without one needs
 * when lines follow it.
 *
 * @param edits ascending and disjoint
 * @throws AccessError `unencodable`
 */
export function applyLineEdits(document: TextDocument, edits: readonly LineEdit[]): Uint8Array {
  const { bytes, lines, encoding } = document;
  const parts: Uint8Array[] = [];
  const hadNoFinalNewline = lines.at(-1)?.ending === "";
  let copied = 0;
  for (const edit of joined(edits)) {
    const fromByte = lines[edit.start]?.startByte ?? bytes.length;
    parts.push(bytes.subarray(copied, fromByte));
    copied = edit.end > edit.start ? (lines[edit.end - 1]?.endByte ?? bytes.length) : fromByte;
    const reachesEnd = edit.end >= lines.length;
    const before = lines[edit.start - 1];
    if (edit.lines.length > 0 && before?.ending === "") parts.push(encodeText(document.dominantEnding, encoding));
    parts.push(encodeText(newText(document, edit, reachesEnd, hadNoFinalNewline), encoding));
  }
  parts.push(bytes.subarray(copied));
  const edited = Buffer.concat(parts);
  if (edits.some(({ lines: added }) => added.some(({ text }) => beyondAscii.test(text))))
    refuseOtherCharset(edited, encoding);
  return edited;
}

const beyondAscii = /[^\p{ASCII}]/u;

/** A charset from before Unicode is told by the text alone: what is written must be read as what it is. */
function refuseOtherCharset(edited: Uint8Array, encoding: Encoding): void {
  const found = detectEncoding(edited);
  if (found.encoding === encoding || encoding.startsWith("utf-")) return;
  if (decodeText(edited, found.encoding) === decodeText(edited, encoding)) return;
  const name = (each: Encoding) => (each === "latin1" ? "Latin-1" : each);
  throw new AccessError("unencodable", {
    detail: `With it the file would be read as ${name(found.encoding)} and no longer as ${name(encoding)}. Save it as UTF-8 first.`,
  });
}

/** Edits that touch each other become one, so that "the line before" is always a line that stays. */
function joined(edits: readonly LineEdit[]): LineEdit[] {
  const result: LineEdit[] = [];
  for (const edit of edits) {
    const last = result.at(-1);
    if (last === undefined || last.end !== edit.start) result.push(edit);
    else result.splice(-1, 1, { start: last.start, end: edit.end, lines: [...last.lines, ...edit.lines] });
  }
  return result;
}

function newText(document: TextDocument, edit: LineEdit, reachesEnd: boolean, hadNoFinalNewline: boolean): string {
  let text = "";
  let neighbour = document.lines[edit.start - 1]?.ending || document.lines[edit.end]?.ending || document.dominantEnding;
  for (const [index, line] of edit.lines.entries()) {
    const replaced = edit.start + index < edit.end ? document.lines[edit.start + index]?.ending : undefined;
    const isLast = reachesEnd && index === edit.lines.length - 1;
    const inherited = replaced || neighbour;
    const adapted = isLast && hadNoFinalNewline && line.ending === undefined ? "" : inherited;
    const ending = line.ending === undefined || line.ending === "any" ? adapted : line.ending;
    text += line.text + (ending === "" && !isLast ? inherited : ending);
    if (ending !== "") neighbour = ending;
  }
  return text;
}
