import { isUtf8 } from "node:buffer";
import { legacyText } from "../text/legacy-text.ts";
import { binaryProbeBytes } from "../text/text-encoding.ts";
import { utf8FromUtf16 } from "../text/utf16.ts";
import type { CompiledQuery } from "./grep-query.ts";
import type { GrepMatch } from "./grep-types.ts";
import { indexOfNeedle, type Needle } from "./needle.ts";

/** Finding where a regex matches takes time by the length of the line times the size of the pattern. */
const maxLocatedChars = 10_000;
const newline = 0x0a;
const carriageReturn = 0x0d;

export interface FileFindings {
  lines: GrepMatch[];
  matches: number;
  /** The file may match but is binary, so it was passed over. */
  binary: boolean;
  /** There are more matches than `maxMatchesPerFile`. */
  capped: boolean;
}

const nothing: FileFindings = { lines: [], matches: 0, binary: false, capped: false };

/** The matching lines of one file with their context, in order, each line at most once. */
export function searchBytes(path: string, written: Buffer, compiled: CompiledQuery): FileFindings {
  const wide = utf8FromUtf16(written);
  // What is ASCII is itself in every charset: most files need no closer look.
  if (wide === undefined && compiled.isAsciiNeedle && lacks(written, compiled.needle)) return nothing;
  const isBinary = (wide ?? written).subarray(0, binaryProbeBytes).includes(0);
  const bytes = wide ?? (isBinary ? undefined : utf8FromLegacy(written)) ?? written;
  const needle = needleFor(bytes, compiled);
  if (lacks(bytes, needle)) return nothing;
  if (isBinary) return { ...nothing, binary: true };
  // A compiled engine passes over a text many times faster than RE2 does; what it lets through is decided as ever.
  if (compiled.shape !== undefined && !compiled.shape.test(bytes.toString("latin1"))) return nothing;
  const text = new FileText(bytes);
  if (needle === undefined && !mayMatch(text, compiled)) return nothing;
  const search = new LineSearch(path, text, compiled);
  for (const line of needle === undefined ? text.allLines() : text.linesWith(needle)) {
    if (compiled.line !== undefined && !compiled.line.test(text.decode(line.start, line.end))) continue;
    if (!search.add(line)) break;
  }
  return search.findings();
}

const lacks = (bytes: Buffer, needle: Needle | undefined) =>
  needle !== undefined && indexOfNeedle(bytes, needle) === -1;

/** As whoever reads the file is shown it. */
function utf8FromLegacy(bytes: Buffer): Buffer | undefined {
  const found = isUtf8(bytes) ? undefined : legacyText(bytes);
  return found && Buffer.from(found.text, "utf8");
}

function needleFor(bytes: Buffer, compiled: CompiledQuery): Needle | undefined {
  return compiled.latin1Needle !== undefined && !isUtf8(bytes) ? compiled.latin1Needle : compiled.needle;
}

/** One pass over the whole text is several times faster than one per line. */
function mayMatch(text: FileText, compiled: CompiledQuery): boolean {
  if (compiled.wholeText === undefined || text.bytes.includes(carriageReturn)) return true;
  return compiled.wholeText.test(text.decode(text.start, text.bytes.length));
}

/** Byte offsets of a line without its ending; `next` is where the following line begins. */
interface LineSpan {
  start: number;
  end: number;
  next: number;
  /** Where the needle was found, if it was searched for. */
  found: number | undefined;
}

class FileText {
  readonly bytes: Buffer;
  /** Behind a UTF-8 byte order mark. */
  readonly start: number;
  readonly #encoding: "utf8" | "latin1";

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    this.#encoding = isUtf8(bytes) ? "utf8" : "latin1";
  }

  decode(start: number, end: number): string {
    return this.bytes.toString(this.#encoding, start, end);
  }

  lineAt(position: number, found?: number): LineSpan {
    const before = position === 0 ? -1 : this.bytes.lastIndexOf(newline, position - 1);
    const start = before === -1 ? this.start : before + 1;
    const feed = this.bytes.indexOf(newline, position);
    const next = feed === -1 ? this.bytes.length : feed + 1;
    const last = feed === -1 ? this.bytes.length : feed;
    const end = last > start && this.bytes[last - 1] === carriageReturn ? last - 1 : last;
    return { start, end, next, found };
  }

  *allLines(): Generator<LineSpan> {
    for (let at = this.start; at < this.bytes.length; ) {
      const line = this.lineAt(at);
      yield line;
      at = line.next;
    }
  }

  *linesWith(needle: Needle): Generator<LineSpan> {
    for (let at = indexOfNeedle(this.bytes, needle, this.start); at !== -1; ) {
      const line = this.lineAt(at, at);
      yield line;
      at = line.next >= this.bytes.length ? -1 : indexOfNeedle(this.bytes, needle, line.next);
    }
  }
}

function newlinesIn(bytes: Buffer, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at++) if (bytes[at] === newline) count++;
  return count;
}

/** Collects matches and gives each its context, as `grep -C` does: overlapping contexts merge. */
class LineSearch {
  readonly #path: string;
  readonly #text: FileText;
  readonly #compiled: CompiledQuery;
  readonly #lines: GrepMatch[] = [];
  #matches = 0;
  #capped = false;
  /** Everything before this offset has been counted as lines; the offset begins line `#lineNumber`. */
  #countedTo: number;
  #lineNumber = 1;
  /** Start of the first line not yet given. */
  #givenTo: number;
  #afterLeft = 0;

  constructor(path: string, text: FileText, compiled: CompiledQuery) {
    this.#path = path;
    this.#text = text;
    this.#compiled = compiled;
    this.#countedTo = text.start;
    this.#givenTo = text.start;
  }

  /** False when the cap is reached. */
  add(line: LineSpan): boolean {
    this.#giveAfter(line.start);
    if (this.#matches >= this.#compiled.query.maxMatchesPerFile) {
      this.#capped = true;
      return false;
    }
    const before: LineSpan[] = [];
    const { contextLines } = this.#compiled.query;
    for (let start = line.start; before.length < contextLines && start > this.#givenTo; ) {
      const previous = this.#text.lineAt(start - 1);
      before.unshift(previous);
      start = previous.start;
    }
    for (const context of before) this.#give(context, "context");
    this.#give(line, "match");
    this.#matches++;
    this.#afterLeft = contextLines;
    return true;
  }

  findings(): FileFindings {
    this.#giveAfter(this.#text.bytes.length);
    return { lines: this.#lines, matches: this.#matches, binary: false, capped: this.#capped };
  }

  #giveAfter(upTo: number): void {
    for (; this.#afterLeft > 0 && this.#givenTo < upTo; this.#afterLeft--) {
      this.#give(this.#text.lineAt(this.#givenTo), "context");
    }
    if (this.#givenTo >= upTo) this.#afterLeft = 0;
  }

  #give(line: LineSpan, kind: "match" | "context"): void {
    this.#lineNumber += newlinesIn(this.#text.bytes, this.#countedTo, line.start);
    this.#countedTo = Math.max(this.#countedTo, line.start);
    this.#lines.push({ path: this.#path, line: this.#lineNumber, kind, ...this.#shown(line, kind) });
    this.#givenTo = line.next;
  }

  /** A long line is cut to a window that begins a little before the match. */
  #shown(line: LineSpan, kind: "match" | "context"): { text: string; cut: boolean } {
    const { maxLineChars } = this.#compiled.query;
    const text = this.#text.decode(line.start, line.end);
    if (text.length <= maxLineChars) return { text, cut: false };
    const matchAt = kind === "match" ? this.#whereIn(line, text) : 0;
    const from = Math.max(0, Math.min(matchAt - Math.floor(maxLineChars / 4), text.length - maxLineChars));
    return { text: text.slice(from, from + maxLineChars).toWellFormed(), cut: true };
  }

  /** Roughly where a long line matches. The engine only says whether quickly, so a very long line shows its beginning. */
  #whereIn(line: LineSpan, text: string): number {
    if (line.found !== undefined) return this.#text.decode(line.start, line.found).length;
    const matcher = text.length <= maxLocatedChars ? this.#compiled.line?.matcher(text) : undefined;
    return matcher?.find() ? matcher.start() : 0;
  }
}
