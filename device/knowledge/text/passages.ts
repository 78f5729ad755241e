import { isWithinCharacter } from "../../../shared/text/whole-characters.ts";
import { isNaming } from "../../access/reading/outline.ts";

/** A stretch of a text that is found and shown as one. */
export interface Passage {
  /** Titles it stands under, outermost first, joined by ` › `; the column names in a table; "" when there are none. */
  readonly heading: string;
  /** 1-based, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** UTF-16 code units of the text, half open. */
  readonly start: number;
  readonly end: number;
}

/** About what a person takes in at a glance, and what fits a question's budget ten times over. */
const wantedWords = 200;
/** A paragraph's end, or a heading, is a better place to end than the middle of one. */
const enoughWords = 140;
const enoughWordsBeforeHeading = 25;
/** Scripts without spaces have no words to count; a line of data has few. */
const maxChars = 1_800;
const maxHeadingChars = 200;
const maxTitleChars = 120;

const markdownHeading = /^(#{1,6})[ \t]+(\S.*)$/;
const underline = /^(?:=+|-+|~+)\s*$/;

/** How headings are told, by the kind of file. */
export type Shape = "prose" | "code" | "table";

const tables = new Set(["csv", "tsv"]);

/** How a file is cut into passages. @param tag of the file, as the scan gave it; null when it has none */
export function shapeOf(path: string, tag: string | null): Shape {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  if (tables.has(extension)) return "table";
  return tag === "code" || tag === "test" ? "code" : "prose";
}

/** Cuts a text into passages of about 200 words, at headings and paragraphs where there are any. Nothing is left out. */
export function passagesOf(text: string, shape: Shape): Passage[] {
  const cutter = new Cutter(text, shape);
  let start = 0;
  for (let line = 1; start < text.length; line++) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline + 1;
    cutter.take(line, start, end);
    start = end;
  }
  return cutter.done();
}

/** What a text calls itself: its first heading, else its first line; "" when it has none. */
export function titleOf(text: string): string {
  const beginning = text.slice(0, 4_000).split("\n", 60);
  const heading = beginning.map((line) => markdownHeading.exec(line.trimEnd())?.[2]).find((each) => each !== undefined);
  const title = heading ?? beginning.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? "";
  return title.trim().slice(0, maxTitleChars).toWellFormed();
}

class Cutter {
  readonly #text: string;
  readonly #shape: Shape;
  readonly #passages: Passage[] = [];
  /** Headings in force, by level. */
  readonly #headings: string[] = [];
  #heading = "";
  #startLine = 1;
  #start = 0;
  #end = 0;
  #endLine = 0;
  #words = 0;

  constructor(text: string, shape: Shape) {
    this.#text = text;
    this.#shape = shape;
  }

  take(line: number, start: number, end: number): void {
    if (end - start > maxChars) {
      this.#close(start, line);
      this.#takeLong(line, start, end);
      return;
    }
    const content = this.#text.slice(start, end).trimEnd();
    const isNamed = this.#named(line, start, end, content);
    if (!isNamed && this.#end - this.#start + (end - start) > maxChars) this.#close(start, line);
    this.#words += wordsIn(content);
    this.#end = end;
    this.#endLine = line;
    if (this.#words >= wantedWords || (content === "" && this.#words >= enoughWords)) this.#close(end, line + 1);
  }

  done(): Passage[] {
    this.#close(this.#end, this.#endLine);
    return this.#passages;
  }

  /** Whether the line names what follows it; then what came before has ended, unless that is too little to stand alone. */
  #named(line: number, start: number, end: number, content: string): boolean {
    const found = this.#headingIn(line, end, content);
    if (found === undefined) return false;
    const isAlone = this.#words >= enoughWordsBeforeHeading;
    if (isAlone) this.#close(start, line);
    const isUnder = this.#headings.length < found.level;
    this.#headings.length = Math.min(this.#headings.length, found.level - 1);
    this.#headings[found.level - 1] = found.title;
    // A few words under a heading stay with what follows, under both names; the path of a part names the whole as well.
    if (isAlone || isUnder || this.#words === 0) this.#heading = this.#path();
    else this.#heading = shortened(`${this.#heading}; ${found.title}`);
    return isAlone;
  }

  #headingIn(line: number, end: number, content: string): { level: number; title: string } | undefined {
    if (content === "") return undefined;
    if (this.#shape === "table") return line === 1 ? { level: 1, title: content } : undefined;
    const marks = markdownHeading.exec(content);
    if (marks !== null) return { level: marks[1]?.length ?? 1, title: marks[2] ?? "" };
    if (this.#shape === "code") return isNaming(content) ? { level: 1, title: content.trim() } : undefined;
    if (content.length > maxTitleChars || !/^[\p{L}\p{N}]/u.test(content)) return undefined;
    const next = this.#text.slice(end, end + maxTitleChars + 2).split("\n", 1)[0] ?? "";
    if (next.length < 3 || !underline.test(next)) return undefined;
    return { level: next.startsWith("=") ? 1 : 2, title: content };
  }

  /** A line that is longer than a passage: data, or prose without line breaks. */
  #takeLong(line: number, start: number, end: number): void {
    for (let from = start; from < end; ) {
      const to = from + maxChars >= end ? end : this.#seam(from, from + maxChars);
      this.#passages.push({ heading: this.#heading, startLine: line, endLine: line, start: from, end: to });
      from = to;
    }
    this.#begin(end, line + 1);
  }

  /** The last space before a place, else the place itself, never within a character. */
  #seam(from: number, to: number): number {
    const window = this.#text.slice(from, to);
    const space = Math.max(window.lastIndexOf(" "), window.lastIndexOf(","), window.lastIndexOf("。"));
    if (space > window.length / 2) return from + space + 1;
    return isWithinCharacter(this.#text, to) ? to - 1 : to;
  }

  #close(start: number, line: number): void {
    const { heading, startLine, endLine, end } = {
      heading: this.#heading,
      startLine: this.#startLine,
      endLine: this.#endLine,
      end: this.#end,
    };
    if (this.#words > 0) this.#passages.push({ heading, startLine, endLine, start: this.#start, end });
    this.#begin(start, line);
    this.#heading = this.#path();
  }

  #path(): string {
    return shortened(this.#headings.filter((each) => each !== undefined && each !== "").join(" › "));
  }

  #begin(start: number, line: number): void {
    this.#start = start;
    this.#end = start;
    this.#startLine = line;
    this.#endLine = line;
    this.#words = 0;
  }
}

/** Words as spaces part them; of scripts without spaces every two characters count for one. */
function wordsIn(line: string): number {
  let words = 0;
  let isInWord = false;
  let wide = 0;
  for (let at = 0; at < line.length; at++) {
    const unit = line.charCodeAt(at);
    const isSpace = unit === 32 || unit === 9 || unit === 13;
    if (!isSpace && !isInWord) words++;
    isInWord = !isSpace;
    if (unit >= 0x0e00 && (unit < 0x0f00 || unit >= 0x2e80)) wide++;
  }
  return words + (wide >> 1);
}

const shortened = (path: string): string => path.slice(0, maxHeadingChars).toWellFormed();
