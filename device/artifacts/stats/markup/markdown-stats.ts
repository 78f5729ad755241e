import type { MarkdownStats } from "../stats.ts";
import { LineReader } from "../text/line-reader.ts";
import { TextCounter } from "../text/text-counter.ts";
import { HeadingList } from "./heading-list.ts";

const maxLanguages = 20;
const maxLineBytes = 8_192;
const maxAddressChars = 1_000;
/** Markers of quotations and list items, one at a time, so that nothing is tried twice. */
const container = / {0,3}(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))[ \t]*/y;
const fence = /^\s*(`{3,}|~{3,})[ \t]*([^\s`{]*)/;
const atx = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/;
const setext = /^ {0,3}(=+|-+)[ \t]*$/;
const bullet = /^(\s*)(?:([-*+])|(\d{1,9})([.)]))(?:\s+|$)/;
const tableRule = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
const definition = /^ {0,3}\[[^\]]{1,300}\]:\s*\S/;
const rule = /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** Statistics of Markdown in one pass, line by line. Write UTF-8 in pieces of any size, then `end`. */
export class MarkdownStatsEngine {
  readonly #counter = new TextCounter();
  readonly #headings = new HeadingList();
  readonly #languages = new Set<string>();
  readonly #reader = new LineReader((line) => this.#line(line.toString("utf8")), maxLineBytes);
  #lineNumber = 0;
  #frontMatter: MarkdownStats["frontMatter"] = "none";
  #frontMatterEnd: RegExp | undefined;
  #openFence: string | undefined;
  #isIndentedCode = false;
  #paragraph = "";
  #isInTable = false;
  #list: { marker: string } | undefined;
  #blankBefore = true;
  #codeBlocks = 0;
  #links = 0;
  #images = 0;
  #tables = 0;
  #lists = 0;

  write(piece: Buffer): void {
    this.#counter.write(piece);
    this.#reader.write(piece);
  }

  end(): MarkdownStats {
    this.#reader.end();
    return {
      kind: "markdown",
      lines: this.#counter.lines,
      words: this.#counter.words,
      headings: this.#headings.result,
      codeBlocks: this.#codeBlocks,
      codeLanguages: [...this.#languages],
      links: this.#links,
      images: this.#images,
      tables: this.#tables,
      lists: this.#lists,
      frontMatter: this.#frontMatter,
    };
  }

  #line(line: string): void {
    const number = ++this.#lineNumber;
    if (number === 1 && this.#opensFrontMatter(line)) return;
    if (this.#frontMatterEnd !== undefined) {
      if (this.#frontMatterEnd.test(line)) this.#frontMatterEnd = undefined;
      return;
    }
    if (this.#openFence !== undefined) {
      const close = /^[\s>]*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
      if (close?.startsWith(this.#openFence)) this.#openFence = undefined;
      return;
    }
    if (line.trim() === "") {
      this.#paragraph = "";
      this.#isInTable = false;
      this.#blankBefore = true;
      return;
    }
    this.#block(line);
    this.#blankBefore = false;
  }

  #block(line: string): void {
    const content = withoutContainers(line);
    const fenced = fence.exec(content);
    if (fenced?.[1] !== undefined && !(fenced[1][0] === "`" && content.slice(fenced[0].length).includes("`"))) {
      this.#openFence = fenced[1];
      this.#codeBlocks++;
      const language = fenced[2] ?? "";
      if (language !== "" && this.#languages.size < maxLanguages) this.#languages.add(language.toLowerCase());
      this.#paragraph = "";
      return;
    }
    if (this.#isIndented(line)) return;
    const heading = atx.exec(line);
    if (heading?.[1] !== undefined) {
      this.#headings.add(heading[1].length, withoutClosingHashes(heading[2] ?? ""));
      this.#inline(line);
      this.#interrupt();
      return;
    }
    const underline = setext.exec(line)?.[1];
    if (underline !== undefined && this.#paragraph !== "" && !this.#isInTable) {
      this.#headings.add(underline[0] === "=" ? 1 : 2, this.#paragraph);
      this.#interrupt();
      return;
    }
    if (rule.test(line)) {
      this.#interrupt();
      return;
    }
    if (this.#paragraph.includes("|") && tableRule.test(line) && line.includes("-") && !this.#isInTable) {
      const columns = (text: string) =>
        text
          .replace(/^\s*\||\|\s*$/g, "")
          .replaceAll("\\|", "")
          .split("|").length;
      if (columns(line) === columns(this.#paragraph)) {
        this.#tables++;
        this.#isInTable = true;
        return;
      }
    }
    this.#item(line);
    if (definition.test(line)) return;
    this.#inline(line);
    this.#paragraph = line;
  }

  #opensFrontMatter(line: string): boolean {
    if (/^---\s*$/.test(line)) [this.#frontMatter, this.#frontMatterEnd] = ["yaml", /^(?:---|\.\.\.)\s*$/];
    else if (/^\+\+\+\s*$/.test(line)) [this.#frontMatter, this.#frontMatterEnd] = ["toml", /^\+\+\+\s*$/];
    else if (/^\{\s*$/.test(line)) [this.#frontMatter, this.#frontMatterEnd] = ["json", /^\}\s*$/];
    return this.#frontMatterEnd !== undefined;
  }

  /** Four spaces after a blank line, outside a list, are code (CommonMark 4.4). */
  #isIndented(line: string): boolean {
    const isIndented = /^(?: {4}|\t)/.test(line);
    if (isIndented && this.#list === undefined && this.#paragraph === "") {
      if (!this.#isIndentedCode) this.#codeBlocks++;
      this.#isIndentedCode = true;
      return true;
    }
    this.#isIndentedCode = false;
    return false;
  }

  /** A list goes on while its items have the same marker; text at the margin after a blank line ends it. */
  #item(line: string): void {
    const found = bullet.exec(line);
    const indent = /^\s*/.exec(line)?.[0].length ?? 0;
    if (found === null) {
      if (indent === 0 && this.#blankBefore) this.#list = undefined;
      return;
    }
    // A number other than 1 does not break into a paragraph (CommonMark 5.3).
    if (this.#paragraph !== "" && this.#list === undefined && found[3] !== undefined && found[3] !== "1") return;
    const marker = found[2] ?? found[4] ?? "";
    if (indent <= 3 && this.#list?.marker !== marker) this.#list = undefined;
    if (this.#list !== undefined) return;
    this.#list = { marker };
    this.#lists++;
  }

  #interrupt(): void {
    this.#paragraph = "";
    this.#isInTable = false;
    this.#list = undefined;
  }

  #inline(line: string): void {
    const { links, images } = linksIn(line);
    this.#links += links;
    this.#images += images;
  }
}

function withoutContainers(line: string): string {
  let at = 0;
  for (;;) {
    container.lastIndex = at;
    if (!container.test(line)) return line.slice(at);
    at = container.lastIndex;
  }
}

/** `## Title ##` is closed by hashes behind a space (CommonMark 4.2). */
function withoutClosingHashes(text: string): string {
  const trimmed = text.trim();
  let end = trimmed.length;
  while (trimmed[end - 1] === "#") end--;
  return end === 0 || /\s/.test(trimmed[end - 1] ?? "") ? trimmed.slice(0, end).trimEnd() : trimmed;
}

/** Links and images of a line: `[text](to)`, `[text][name]`, `<https://…>`; not what stands in code. */
function linksIn(line: string): { links: number; images: number } {
  let [links, images] = [0, 0];
  const [lastAngle, lastParenthesis] = [line.lastIndexOf(">"), line.lastIndexOf(")")];
  const open: number[] = [];
  for (let at = 0; at < line.length; at++) {
    const char = line[at];
    if (char === "\\") at++;
    else if (char === "[") open.push(at);
    else if (char === "`") {
      let width = 1;
      while (line[at + width] === "`") width++;
      const close = closingTicks(line, at + width, width);
      at = close === -1 ? at + width - 1 : close + width - 1;
    } else if (char === "<" && at < lastAngle) {
      const end = line.slice(at, at + maxAddressChars).indexOf(">") + at;
      if (end > at && /^(?:https?|ftp|mailto):\S+$|^[\w.+-]+@[\w-]+\.[\w.-]+$/i.test(line.slice(at + 1, end))) links++;
    } else if (char === "]") {
      const start = open.pop();
      const isTarget = (line[at + 1] === "(" && lastParenthesis > at) || line[at + 1] === "[";
      if (start === undefined || !isTarget) continue;
      if (line[start - 1] === "!" && line[start - 2] !== "\\") images++;
      else links++;
    }
  }
  return { links, images };
}

function closingTicks(line: string, from: number, width: number): number {
  for (let at = line.indexOf("`", from); at !== -1; ) {
    let run = 1;
    while (line[at + run] === "`") run++;
    if (run === width) return at;
    at = line.indexOf("`", at + run);
  }
  return -1;
}
