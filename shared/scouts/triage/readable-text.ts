import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import { blanksAgain, keepAllBlanks, keepBlanks } from "../../text/kept-blanks.ts";
import { lineEdge, linesAsShown, paragraphEdge } from "../../text/lines-as-shown.ts";
import { addressBehind } from "../../text/link-address.ts";
import { StyleSheet } from "./style-sheet.ts";
import { type InheritedLook, isHidden, isLegible, lookOf, ownLook, rootLook } from "./visibility.ts";

/** Longest text returned, in characters; reading stops there. Far above what triage and summaries look at. */
export const maxReadableCharacters = 200_000;

/** Deeper elements are not tracked one by one. Browsers flatten much earlier (Blink and WebKit at 512). */
const maxDepth = 2_000;
/** Only the head of a long attribute is looked at: a style that matters fits, and the work stays linear. */
const maxAttributeCharacters = 2_000;
const maxAltCharacters = 200;

const voidElements = new Set(
  "area base br col colgroup embed hr img input link meta param source track wbr bgsound frame keygen".split(" "),
);
/** A head ends with the first element that is none of it, whether or not that is said (HTML, 13.2.6.4.4): what it holds is one of these. */
const unreadElements = new Set(
  "title script style template iframe object noembed noframes svg math audio video canvas".split(" "),
);
/** Of those, the ones whose styles are not the letter's. */
const ownStyles = ["title", "script", "template", "iframe", "object", "noembed", "noframes", "svg", "math"];
/** Elements of a letter end a drawing or a formula that they stand in (HTML, 13.2.6.5), whether or not that was closed. */
const endsForeign = new Set(
  (
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre " +
    "ruby s small span strong strike sub sup table tt u ul var"
  ).split(" "),
);
const blockElements = new Set(
  (
    "address article aside blockquote body br center dd details div dl dt fieldset figcaption figure footer form h1 h2 " +
    "h3 h4 h5 h6 header hr html li main nav ol option p pre section summary table tbody tfoot thead tr ul"
  ).split(" "),
);
const cellElements = new Set(["td", "th"]);
/** Of these, what browsers set apart by a blank line. */
const apartElements = new Set("blockquote dl figure h1 h2 h3 h4 h5 h6 hr ol p pre ul".split(" "));
/** Lines of Outlook are paragraphs of these classes, and of others a style that sets nothing apart. */
const joinedClass = /\bMso(?:ListParagraph|Normal|PlainText)/;
const joinedStyle = /(?:^|;)\s*margin(?:-top)?\s*:\s*0/i;
/** End tags that HTML lets authors leave out: opening the key closes what the value names, when innermost. */
const impliedEnds = new Map<string, ReadonlySet<string>>([
  ["li", new Set(["li", "p"])],
  ["tr", new Set(["tr", "td", "th", "p"])],
  ["td", new Set(["td", "th", "p"])],
  ["th", new Set(["td", "th", "p"])],
  ["option", new Set(["option"])],
]);
const endsParagraph = new Set(["p"]);

/** Some senders label a whole HTML document as plain text. */
const isHtmlDocument = /^\s{0,100}<(?:!doctype\s+html|html)\b/i;

/** Elements that show the line breaks of their source; elsewhere those are blanks, which programs put where a line grows long (CSS Text, 4.1). */
const preformatted = new Set(["pre", "textarea"]);
const ownWhiteSpace = /(?:^|;)\s*white-space\s*:\s*(pre|break-spaces|normal|nowrap)/i;

interface OpenElement {
  readonly name: string;
  readonly look: InheritedLook;
  readonly hidden: boolean;
  readonly keepsLines: boolean;
  /** What it begins and ends with. */
  readonly edge: string;
  /** Of a link that is shown: where it leads, and the place of its words among the parts. */
  readonly link?: { readonly href: string; readonly at: number };
}

/** What is read: the words alone, as a letter is judged by; or as it is shown, with where links lead and the blanks of tables. */
export type Reading = "words" | "shown";

/**
 * The text a person would see: HTML if it yields any, else the plain text.
 *
 * Hidden text is left out (comments, `display:none` and its kin, white on white, zero-width and bidi controls), link
 * texts stay, entities are decoded, blanks collapse to one, blank lines too, and line breaks that HTML's source alone has go. Input is decoded text (the charset is the caller's matter). Never throws on any input; work is linear in its length and the result at most
 * {@link maxReadableCharacters} long.
 */
export function readableText(input: { html?: string; text?: string }, reading: Reading = "words"): string {
  const fromHtml = input.html ? htmlToText(input.html, reading) : "";
  if (fromHtml !== "" || input.text === undefined) return fromHtml;
  if (isHtmlDocument.test(input.text)) return htmlToText(input.text, reading);
  const read = input.text.slice(0, maxReadableCharacters * 2);
  return blanksAgain(linesAsShown(reading === "shown" ? keepBlanks(read) : read, maxReadableCharacters));
}

/** A letter that its style sheets hide as a whole is read without them, as by programs that leave them out. */
function htmlToText(html: string, reading: Reading): string {
  const sheet = new StyleSheet();
  const read = (reader: VisibleTextReader) => blanksAgain(linesAsShown(reader.read(), maxReadableCharacters));
  const bare = read(new VisibleTextReader(html, reading, unstyled, sheet));
  if (sheet.isEmpty) return bare;
  return read(new VisibleTextReader(html, reading, sheet)) || bare;
}

const unstyled = new StyleSheet();

/**
 * HTML in which a section of XML (`<![CDATA[`) is what it is in HTML: a comment that ends with its first bracket. The tokenizer would
 * look for `]]>` and take all of a letter that no program hides.
 */
export const withoutSections = (html: string): string => html.replaceAll("<![CDATA[", "<!");

/**
 * Reads over htmlparser2's tokenizer and not its parser: the parser keeps its open elements in an array it searches and
 * shifts for each tag, which is quadratic on millions of unclosed ones.
 */
class VisibleTextReader implements TokenizerCallbacks {
  readonly #html: string;
  readonly #reading: Reading;
  readonly #tokenizer: Tokenizer;
  readonly #open: OpenElement[] = [];
  readonly #openCount = new Map<string, number>();
  #untracked = 0;
  #tag = "";
  #attribute = "";
  #value = "";
  #attributes = new Map<string, string>();
  readonly #sheet: StyleSheet;
  readonly #found: StyleSheet | undefined;
  /** Of the style sheet that is being read. */
  #media: string | undefined;
  #css: string[] = [];
  #parts: string[] = [];
  #characters = 0;

  /** @param sheet what the letter is shown by @param found takes the style sheets that stand in it */
  constructor(html: string, reading: Reading, sheet: StyleSheet, found?: StyleSheet) {
    this.#html = withoutSections(html);
    this.#reading = reading;
    this.#sheet = sheet;
    this.#found = found;
    this.#tokenizer = new Tokenizer({ decodeEntities: true }, this);
  }

  read(): string {
    this.#tokenizer.write(this.#html);
    if (this.#tokenizer.running) this.#tokenizer.end();
    this.#endStyle();
    while (this.#open.length > 0) this.#pop();
    return this.#parts.join("");
  }

  #emit(text: string): void {
    this.#parts.push(text);
    this.#characters += text.length;
    // Twice what is returned, because collapsing still shortens it.
    if (this.#characters > maxReadableCharacters * 2) this.#tokenizer.pause();
  }

  #top(): OpenElement {
    return this.#open.at(-1) ?? { name: "", look: rootLook, hidden: false, keepsLines: false, edge: "" };
  }

  /** Text of an element as its reader sees it, or none. */
  #show(text: string): void {
    if (!this.#showsText()) return;
    if (!this.#top().keepsLines) this.#emit(text.replace(/[\n\r\f]/g, " "));
    else this.#emit(this.#reading === "shown" ? keepAllBlanks(text) : text);
  }

  #keepsLines(name: string, parent: OpenElement): boolean {
    const [, value] = ownWhiteSpace.exec(this.#attributes.get("style") ?? "") ?? [];
    if (value !== undefined) return /^(?:pre|break-spaces)$/i.test(value);
    return parent.keepsLines || preformatted.has(name);
  }

  #showsText(): boolean {
    const { hidden, look } = this.#top();
    return !hidden && isLegible(look);
  }

  #pop(): void {
    const element = this.#open.pop();
    if (element) this.#openCount.set(element.name, (this.#openCount.get(element.name) ?? 1) - 1);
    if (element?.link === undefined) return;
    const address = addressBehind(this.#parts.slice(element.link.at).join(""), element.link.href);
    if (address !== undefined) this.#emit(` <${address}>`);
  }

  /** What stands before and behind an element that is being opened. */
  #edgeOf(name: string): string {
    if (cellElements.has(name)) return " ";
    if (name === "br") return "\n";
    if (!blockElements.has(name)) return "";
    const isJoined =
      !apartElements.has(name) ||
      joinedClass.test(this.#attributes.get("class") ?? "") ||
      joinedStyle.test(this.#attributes.get("style") ?? "") ||
      // A list within a list stands close to what it belongs to.
      Boolean(this.#openCount.get("li"));
    return isJoined ? lineEdge : paragraphEdge;
  }

  #openElement(): void {
    const name = this.#tag;
    const implied = impliedEnds.get(name) ?? (blockElements.has(name) && name !== "br" ? endsParagraph : undefined);
    while (implied?.has(this.#top().name)) this.#pop();
    while (endsForeign.has(name) && (this.#openCount.get("svg") || this.#openCount.get("math"))) this.#pop();
    const parent = this.#top();
    const own = ownLook(name, this.#attributes, this.#sheet);
    const look = lookOf(parent.look, own);
    const hidden = parent.hidden || unreadElements.has(name) || isHidden(own);
    if (name === "style") this.#media = this.#mediaHere();
    const edge = this.#edgeOf(name);
    if (!hidden) this.#emit(edge);
    if (name === "img" && !hidden) this.#emit(` ${this.#attributes.get("alt")?.slice(0, maxAltCharacters) ?? ""} `);
    if (voidElements.has(name)) return;
    if (this.#open.length >= maxDepth) {
      this.#untracked += 1;
      return;
    }
    const href = this.#reading === "shown" && name === "a" && !hidden ? this.#attributes.get("href") : undefined;
    // A link ends the one it stands in, so no words are looked at twice.
    const link = href === undefined || this.#openCount.get("a") ? {} : { link: { href, at: this.#parts.length } };
    this.#open.push({ name, look, hidden, keepsLines: this.#keepsLines(name, parent), edge, ...link });
    this.#openCount.set(name, (this.#openCount.get(name) ?? 0) + 1);
  }

  /** Of a style sheet of the letter; undefined for one that is not. */
  #mediaHere(): string | undefined {
    const isCss = /^(?:text\/css)?$/i.test(this.#attributes.get("type")?.trim() ?? "");
    const isOfLetter = isCss && !ownStyles.some((name) => this.#openCount.get(name));
    return isOfLetter ? (this.#attributes.get("media") ?? "") : undefined;
  }

  #endStyle(): void {
    if (this.#media !== undefined) this.#found?.add(this.#css.join(""), this.#media);
    this.#media = undefined;
    this.#css = [];
  }

  onopentagname(start: number, endIndex: number): void {
    this.#tag = this.#html.slice(start, Math.min(endIndex, start + 40)).toLowerCase();
    this.#attributes = new Map();
  }

  onattribname(start: number, endIndex: number): void {
    this.#attribute = this.#html.slice(start, Math.min(endIndex, start + 40)).toLowerCase();
    this.#value = "";
  }

  onattribdata(start: number, endIndex: number): void {
    const room = maxAttributeCharacters - this.#value.length;
    if (room > 0) this.#value += this.#html.slice(start, Math.min(endIndex, start + room));
  }

  onattribentity(codepoint: number): void {
    if (this.#value.length < maxAttributeCharacters) this.#value += String.fromCodePoint(codepoint);
  }

  onattribend(): void {
    if (this.#attributes.size < 50 && !this.#attributes.has(this.#attribute)) {
      this.#attributes.set(this.#attribute, this.#value);
    }
  }

  onopentagend(): void {
    this.#openElement();
  }

  onselfclosingtag(): void {
    this.#openElement();
  }

  onclosetag(start: number, endIndex: number): void {
    const name = this.#html.slice(start, Math.min(endIndex, start + 40)).toLowerCase();
    if (this.#untracked > 0) {
      this.#untracked -= 1;
      return;
    }
    if (name === "style") this.#endStyle();
    if (!this.#openCount.get(name)) return;
    while (this.#top().name !== name) this.#pop();
    const { hidden, edge } = this.#top();
    this.#pop();
    if (!hidden) this.#emit(edge);
  }

  ontext(start: number, endIndex: number): void {
    if (this.#found && this.#top().name === "style") this.#css.push(this.#html.slice(start, endIndex));
    this.#show(this.#html.slice(start, endIndex));
  }

  ontextentity(codepoint: number): void {
    this.#show(String.fromCodePoint(codepoint));
  }

  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
