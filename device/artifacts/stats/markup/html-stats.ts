import { Tokenizer } from "htmlparser2";
import type { HtmlStats } from "../stats.ts";
import { HeadingList } from "./heading-list.ts";
import { asideElements, inlineElements, mainElements, unseenElements } from "./html-elements.ts";
import { VisibleText } from "./visible-text.ts";

const maxAttributeChars = 1_000;
const maxHeadingChars = 300;
const readAttributes: Record<string, readonly string[]> = {
  html: ["lang", "xml:lang"],
  meta: ["name", "property", "content"],
};

/** Statistics of HTML in one pass. Write text in pieces of any size, then `end`. */
export class HtmlStatsEngine {
  readonly #tokenizer: Tokenizer;
  readonly #headings = new HeadingList();
  readonly #all = new VisibleText();
  readonly #beside = new VisibleText();
  readonly #within = new VisibleText();
  /** The piece being read, the one before it, and where they begin. */
  #piece = "";
  #pieceStart = 0;
  #before = "";
  #tag = "";
  #wanted: readonly string[] = [];
  #attribute = "";
  #value = "";
  #attributes: Record<string, string> = {};
  /** Open elements by what they mean for the text in them. */
  readonly #open = { unseen: new Map<string, number>(), unseenCount: 0, aside: 0, main: 0 };
  #heading: { level: number; text: string } | undefined;
  #title: string | undefined;
  #isInTitle = false;
  #description = "";
  #language = "";
  #links = 0;
  #images = 0;
  #scripts = 0;
  #tables = 0;

  constructor() {
    this.#tokenizer = new Tokenizer(
      { decodeEntities: true },
      {
        onopentagname: (start, end) => this.#startTag(this.#slice(start, end).toLowerCase()),
        onattribname: (start, end) => {
          this.#attribute = this.#wanted.length === 0 ? "" : this.#slice(start, end).toLowerCase();
          this.#value = "";
        },
        onattribdata: (start, end) => this.#addToValue(start, end),
        onattribentity: (codePoint) => {
          if (this.#wanted.length > 0) this.#value += String.fromCodePoint(codePoint);
        },
        onattribend: () => {
          if (this.#wanted.includes(this.#attribute)) this.#attributes[this.#attribute] ??= this.#value;
        },
        onopentagend: () => this.#openElement(false),
        onselfclosingtag: () => this.#openElement(true),
        onclosetag: (start, end) => this.#closeElement(this.#slice(start, end).toLowerCase()),
        ontext: (start, end) => this.#text(this.#slice(start, end)),
        ontextentity: (codePoint) => this.#text(String.fromCodePoint(codePoint)),
        oncdata: () => undefined,
        oncomment: () => undefined,
        ondeclaration: () => undefined,
        onprocessinginstruction: () => undefined,
        onend: () => undefined,
      },
    );
  }

  write(piece: string): void {
    this.#before = this.#piece;
    this.#pieceStart += this.#piece.length;
    this.#piece = piece;
    this.#tokenizer.write(piece);
  }

  /** The statistics, and the beginning of the main text for a preview. */
  end(): { stats: HtmlStats; mainText: string } {
    this.#tokenizer.end();
    if (this.#heading !== undefined) this.#endHeading();
    const mainText = [this.#within, this.#beside, this.#all].find(({ chars }) => chars > 0) ?? this.#all;
    const stats: HtmlStats = {
      kind: "html",
      title: (this.#title ?? "").replace(/\s+/g, " ").trim(),
      description: this.#description,
      language: this.#language,
      headings: this.#headings.result,
      links: this.#links,
      images: this.#images,
      scripts: this.#scripts,
      tables: this.#tables,
      words: this.#all.words,
      mainTextChars: mainText.chars,
    };
    return { stats, mainText: mainText.head };
  }

  /** Text by its offsets; what began before the last two pieces is too long to matter. */
  #slice(start: number, end: number): string {
    const from = start - this.#pieceStart;
    if (from >= 0) return this.#piece.slice(from, end - this.#pieceStart);
    const fromBefore = from + this.#before.length;
    if (fromBefore < 0) return "";
    return this.#before.slice(fromBefore) + this.#piece.slice(0, Math.max(0, end - this.#pieceStart));
  }

  #startTag(name: string): void {
    this.#tag = name;
    this.#wanted = Object.hasOwn(readAttributes, name) ? (readAttributes[name] ?? []) : [];
    if (this.#wanted.length > 0) this.#attributes = {};
  }

  #addToValue(start: number, end: number): void {
    if (this.#wanted.length === 0) return;
    const room = maxAttributeChars - this.#value.length;
    if (room > 0) this.#value += this.#slice(start, Math.min(end, start + room));
  }

  #openElement(isSelfClosing: boolean): void {
    const name = this.#tag;
    if (!inlineElements.has(name)) this.#endWord();
    if (name === "a") this.#links++;
    else if (name === "img") this.#images++;
    else if (name === "script") this.#scripts++;
    else if (name === "table") this.#tables++;
    else if (name === "meta") this.#readMeta();
    else if (name === "html") this.#language ||= this.#attributes["lang"] ?? this.#attributes["xml:lang"] ?? "";
    else if (name === "title") this.#isInTitle = this.#title === undefined && !this.#open.unseen.has("svg");
    else if (isHeading(name)) {
      if (this.#heading !== undefined) this.#endHeading();
      this.#heading = { level: Number(name[1]), text: "" };
    }
    if (isSelfClosing && name !== "script" && name !== "style") return;
    if (unseenElements.has(name)) {
      this.#open.unseen.set(name, (this.#open.unseen.get(name) ?? 0) + 1);
      this.#open.unseenCount++;
    } else if (asideElements.has(name)) this.#open.aside++;
    else if (mainElements.has(name)) this.#open.main++;
  }

  #closeElement(name: string): void {
    if (!inlineElements.has(name)) this.#endWord();
    if (name === "title") this.#isInTitle = false;
    if (isHeading(name) && this.#heading !== undefined) this.#endHeading();
    const count = this.#open.unseen.get(name) ?? 0;
    if (count > 0) {
      this.#open.unseen.set(name, count - 1);
      this.#open.unseenCount--;
      if (count === 1) this.#open.unseen.delete(name);
    } else if (asideElements.has(name)) this.#open.aside = Math.max(0, this.#open.aside - 1);
    else if (mainElements.has(name)) this.#open.main = Math.max(0, this.#open.main - 1);
  }

  #text(text: string): void {
    if (this.#isInTitle) this.#title = `${this.#title ?? ""}${text}`.slice(0, maxAttributeChars);
    if (this.#open.unseenCount > 0) return;
    if (this.#heading !== undefined) this.#heading.text = (this.#heading.text + text).slice(0, maxHeadingChars);
    this.#all.add(text);
    if (this.#open.main > 0) this.#within.add(text);
    else if (this.#open.aside === 0) this.#beside.add(text);
  }

  #endWord(): void {
    this.#all.endWord();
    this.#within.endWord();
    this.#beside.endWord();
  }

  #endHeading(): void {
    if (this.#heading !== undefined) this.#headings.add(this.#heading.level, this.#heading.text);
    this.#heading = undefined;
  }

  #readMeta(): void {
    const { name = "", property = "", content = "" } = this.#attributes;
    if (name.toLowerCase() === "description") this.#description = content.trim() || this.#description;
    else if (property.toLowerCase() === "og:description") this.#description ||= content.trim();
  }
}

const isHeading = (name: string) => name.length === 2 && name[0] === "h" && name >= "h1" && name <= "h6";
