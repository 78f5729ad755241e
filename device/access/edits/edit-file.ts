import { AccessError } from "../errors.ts";
import { applyLineEdits, type Line, parseDocument, splitLines, type TextDocument } from "./lines/document.ts";
import { changesOfLines, editorLines } from "./lines/editor-lines.ts";
import { lineChanges } from "./lines/line-diff.ts";
import { newLines, oldLines } from "./locate.ts";
import type { Hunk, HunkLine } from "./patches/patch.ts";
import { isPlaceholder } from "./placeholder.ts";
import { planHunks } from "./plan-hunks.ts";

export interface EditedFile {
  readonly bytes: Uint8Array;
  /** Lines of the old text the edit was about, 0-based and half open. */
  readonly ranges: readonly (readonly [number, number])[];
  /** The hunks were found only after white space and Unicode punctuation were evened out. */
  readonly usedNormalisation: boolean;
}

/** What of a line may be looked for, where that is not all of it: a text with as many lines as the document's. */
export type Searchable = (document: TextDocument) => readonly string[] | undefined;

/**
 * A file with hunks applied. Pure: bytes in, bytes out.
 *
 * @param searchable lines that are told otherwise here are found as they are told
 * @throws AccessError `binary_file`, `no_match`, `ambiguous_match`, `overlapping_edits`, `already_applied`,
 * `placeholder`, `unencodable`, `patch_empty`
 */
export function applyHunks(bytes: Uint8Array, given: readonly Hunk[], searchable?: Searchable): EditedFile {
  const document = parseDocument(bytes);
  const hunks = document.bomBytes === 0 ? given : given.map(withoutMark);
  const told = searchable?.(document);
  const sought =
    told === undefined
      ? document
      : { ...document, lines: document.lines.map((line, index) => ({ ...line, text: told[index] ?? "" })) };
  const present = new Set(sought.lines.map(({ text }) => text.trim()));
  for (const { lines } of hunks) {
    for (const { kind, text } of lines) if (kind === "add") refuseLine(text, present);
  }
  const { edits, ranges, usedNormalisation } = planHunks(sought, hunks);
  const edited = applyLineEdits(document, edits);
  if (Buffer.compare(edited, bytes) === 0) throw new AccessError("patch_empty");
  return { bytes: edited, ranges, usedNormalisation };
}

const byteOrderMark = "\ufeff";

/** A diff of whole bytes, as git writes it, has the mark in the file's first line; here it is part of none. */
function withoutMark(hunk: Hunk): Hunk {
  if (hunk.statedLine !== undefined && hunk.statedLine > 1) return hunk;
  const firsts = new Set([oldLines(hunk)[0], newLines(hunk)[0]]);
  const isMarked = (line: HunkLine) => firsts.has(line) && line.text.startsWith(byteOrderMark);
  return { ...hunk, lines: hunk.lines.map((line) => (isMarked(line) ? { ...line, text: line.text.slice(1) } : line)) };
}

export interface ReplaceOptions {
  /** Once it says true, what has not been compared is taken as new. */
  readonly isOverdue?: () => boolean;
  /** `content` comes from an editor, which has a line feed where a return stood in a line. */
  readonly isOfEditor?: boolean;
}

/**
 * A file whose text becomes `content`: lines that stay keep their bytes, new ones take the endings around them unless
 * `content` has CRs of its own; encoding and byte order mark stay. The final newline is as in `content`.
 *
 * @throws AccessError `binary_file`, `placeholder`, `unencodable`
 */
export function replaceContent(bytes: Uint8Array, content: string, options: ReplaceOptions = {}): Uint8Array {
  const document = parseDocument(bytes);
  const wanted = splitLines(content.startsWith(byteOrderMark) ? content.slice(1) : content);
  const states = wanted.some(({ ending }) => ending === "\r\n" || ending === "\r");
  const present = new Set(document.lines.map(({ text }) => text.trim()));
  for (const { text } of wanted) refuseLine(text, present);
  const keyOf = ({ text, ending }: Pick<Line, "text" | "ending">) => text + (states || ending === "" ? ending : "\n");
  const edited = options.isOfEditor === true && !states ? editorLines(document.lines) : undefined;
  const found = lineChanges(edited?.texts ?? document.lines.map(keyOf), wanted.map(keyOf), options);
  const changes = edited === undefined ? found : changesOfLines(found, edited.lineOf, document.lines);
  const edits = changes.map(({ oldStart, oldEnd, newStart, newEnd }) => ({
    start: oldStart,
    end: oldEnd,
    // The last line of a file without a final newline gets one, where `content` has it.
    lines: wanted.slice(newStart, newEnd).map(({ text, ending }) => ({
      text,
      ending: states || ending === "" ? ending : ("any" as const),
    })),
  }));
  return applyLineEdits(document, edits);
}

/** Text for a file that is not there yet. @throws AccessError `placeholder`, `unencodable` */
export function newContent(content: string): Uint8Array {
  if (!content.isWellFormed()) throw new AccessError("unencodable", { detail: "It holds half a surrogate pair." });
  for (const { text } of splitLines(content)) refuseLine(text, new Set());
  return Buffer.from(content);
}

function refuseLine(line: string, present: ReadonlySet<string>): void {
  refuseNul(line);
  if (isPlaceholder(line) && !present.has(line.trim())) {
    throw new AccessError("placeholder", { detail: `It says ${JSON.stringify(line.trim())}.` });
  }
}

/** With one a file is no text any more: nobody could be shown what is in it. @throws AccessError `unencodable` */
export function refuseNul(text: string): void {
  if (text.includes("\0")) throw new AccessError("unencodable", { detail: "It holds a NUL character." });
}
