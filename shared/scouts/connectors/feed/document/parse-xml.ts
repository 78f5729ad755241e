import { Parser } from "htmlparser2";
import { ScoutsError } from "../../../../../events/errors.ts";
import {
  contentOf,
  type Feed,
  type FeedItem,
  type FeedText,
  identityOf,
  maxEntries,
  resolvedLink,
  tooManyEntries,
} from "./feed.ts";

/** Markup nests some ten levels; the parser searches its open elements, so depth is work. */
const maxDepth = 200;
/** Longest text of a field that is kept; a verdict reads 2,000 characters. */
const maxFieldCharacters = 256 * 1024;

const roots: ReadonlySet<string> = new Set(["rss", "RDF", "feed"]);
const entries: ReadonlySet<string> = new Set(["item", "entry"]);

/** The fields of an item, each by the elements that carry it, best first (RSS 2.0, RDF, Atom, content and dc modules). */
const fields = {
  id: ["guid", "id"],
  link: ["link"],
  title: ["title"],
  body: ["content:encoded", "content", "description", "summary", "media:description", "itunes:summary"],
  author: ["name", "dc:creator", "author"],
  date: ["pubDate", "published", "dc:date", "updated"],
} as const;
const wanted: ReadonlySet<string> = new Set(Object.values(fields).flat());
const texts: ReadonlySet<string> = new Set([...fields.title, ...fields.body]);
/** Content that is none of text: bytes in base64 (RFC 4287 §4.1.3.3). */
const binary = /^(?!text\/|.*[/+]xml\s*(?:;|$)).*\//i;

/**
 * Reads an XML feed as events, keeping only the fields of its items. Entities are the five of XML and character
 * references: declared ones are not expanded, so that no document grows while it is read.
 *
 * @param url where the document lies
 * @returns `undefined` when its root is none of a feed
 * @throws source_unreadable when it nests too deep or has too many entries
 */
export function parseXmlFeed(xml: string, url: string): Feed | undefined {
  const reader = new FeedReader(xml, url);
  return reader.read();
}

interface Field {
  readonly name: string;
  readonly depth: number;
  readonly type: string;
  text: string;
  /** Whether elements stand in it, which are escaped in most feeds. */
  hasElements: boolean;
  /** Where its markup begins, for content that is markup itself (Atom's `xhtml`). */
  readonly from: number;
}

/** Whether a text's markup is not escaped, and none of it is. */
const isMarkup = ({ name, type, hasElements }: Field, source: string): boolean =>
  hasElements && type.includes("html") && texts.has(name) && !/<!\[CDATA\[|&lt;/.test(source);

class FeedReader {
  readonly #xml: string;
  readonly #parser: Parser;
  readonly #items: FeedItem[] = [];
  #depth = 0;
  #root: string | undefined;
  /** `atom:` where all names of a feed begin with it. */
  #prefix = "";
  /** The element right below the entry that is open. */
  #within = "";
  #complete = false;
  #title: FeedText = { text: "" };
  #entryDepth = 0;
  #values = new Map<string, FeedText>();
  #field: Field | undefined;
  /** The addresses that `xml:base` has set (https://www.w3.org/TR/xmlbase/), outermost first, and the depths they hold from. */
  readonly #bases: { readonly depth: number; readonly url: string }[];
  /** Whether the item's guid is where it can be read, which it is unless it says otherwise (RSS 2.0, `isPermaLink`). */
  #isPermaLink = false;
  /** What counted where the item's link stands. */
  #linkBase = "";

  constructor(xml: string, url: string) {
    this.#xml = xml;
    this.#bases = [{ depth: 0, url }];
    this.#parser = new Parser(
      {
        onopentag: (name, attributes) => this.#open(this.#plain(name), attributes),
        ontext: (text) => this.#text(text),
        onclosetag: (name, isImplied) => this.#close(this.#plain(name), isImplied),
      },
      { xmlMode: true, decodeEntities: true },
    );
  }

  read(): Feed | undefined {
    this.#parser.write(this.#xml);
    this.#parser.end();
    if (this.#root === undefined || !roots.has(this.#root)) return undefined;
    return { title: this.#title, items: this.#items, complete: this.#complete };
  }

  /** A name as it is in most feeds; that of the root, whatever its prefix, tells which one the others of Atom have. */
  #plain(name: string): string {
    if (this.#root === undefined) {
      const bare = name.slice(name.indexOf(":") + 1);
      if (bare === "feed") this.#prefix = name.slice(0, -bare.length);
      return roots.has(bare) ? bare : name;
    }
    if (this.#depth === 1 && name.endsWith(`:${this.#root}`)) return this.#root;
    return this.#prefix !== "" && name.startsWith(this.#prefix) ? name.slice(this.#prefix.length) : name;
  }

  #open(name: string, attributes: Record<string, string>): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new ScoutsError("source_unreadable", { data: { maxDepth } });
    this.#root ??= name;
    this.#enter(attributes["xml:base"]);
    if (this.#depth - this.#entryDepth === 1) this.#within = name;
    // Some write an author as Atom does where a line of text is meant.
    if (this.#field?.name === "author" && name === "name") this.#field = undefined;
    if (this.#field) {
      this.#field.hasElements = true;
      return;
    }
    if (this.#entryDepth === 0 && entries.has(name)) {
      this.#entryDepth = this.#depth;
      this.#values = new Map();
      this.#isPermaLink = false;
      const [, about] = Object.entries(attributes).find(([key]) => /^\w+:about$/.test(key)) ?? [];
      if (about !== undefined) this.#values.set("id", { text: about });
      return;
    }
    if (name === "link" && this.#entryDepth > 0 && attributes["href"] !== undefined) {
      const isMain = (attributes["rel"] ?? "alternate") === "alternate";
      if (isMain) this.#set("link", { text: attributes["href"] });
      return;
    }
    if (name === "enclosure" && this.#entryDepth > 0) this.#set("enclosure", { text: attributes["url"] ?? "" });
    // An Atom author's name is one level further down, and what a film says of itself.
    const level = this.#depth - this.#entryDepth;
    const isInner = (name === "name" && this.#within === "author") || name === "media:description";
    const inEntry = this.#entryDepth > 0 && (level === 1 || (level === 2 && isInner));
    const ofFeed = this.#entryDepth === 0 && name === "title" && this.#depth <= 3;
    if ((!inEntry && !ofFeed) || !wanted.has(name) || (name === "author" && this.#root === "feed")) return;
    if (name === "guid") this.#isPermaLink = attributes["isPermaLink"] !== "false";
    const isText = this.#root === "feed" || name.startsWith("media:");
    const type = attributes["type"] ?? (isText ? "text" : "html");
    const from = this.#parser.endIndex + 1;
    this.#field = { name, depth: this.#depth, type, text: "", hasElements: false, from };
  }

  /** A base that is none of the web's is left out. */
  #enter(base: string | undefined): void {
    const url = base === undefined ? null : URL.parse(base, this.#base);
    if (url !== null && /^https?:$/.test(url.protocol)) this.#bases.push({ depth: this.#depth, url: url.href });
  }

  get #base(): string {
    return this.#bases.at(-1)?.url ?? "";
  }

  #text(text: string): void {
    const field = this.#field;
    if (field && field.text.length < maxFieldCharacters) field.text += text.slice(0, maxFieldCharacters);
  }

  #close(name: string, isImplied: boolean): void {
    if (this.#field?.depth === this.#depth) this.#keep(this.#field);
    if (this.#entryDepth === this.#depth) {
      // An entry the document broke off in has parts missing, its id perhaps: it would count as another one later.
      if (!isImplied) this.#add();
      this.#entryDepth = 0;
    }
    if (this.#bases.at(-1)?.depth === this.#depth) this.#bases.pop();
    this.#depth -= 1;
    if (this.#depth === 0 && name === this.#root) this.#complete = !isImplied;
  }

  #keep(field: Field): void {
    this.#field = undefined;
    if (field.name === "content" && binary.test(field.type)) return;
    const end = Math.min(this.#parser.startIndex, field.from + maxFieldCharacters);
    const source = this.#xml.slice(field.from, end);
    const content = field.type.includes("xhtml") || isMarkup(field, source) ? source : field.text;
    const value: FeedText = field.type.includes("html") ? { html: content } : { text: content };
    if (this.#entryDepth === 0) {
      if (contentOf(this.#title) === "") this.#title = value;
    } else if (content.trim() !== "") this.#set(field.name, value);
  }

  /** The first of a name counts. */
  #set(name: string, value: FeedText): void {
    if (this.#values.has(name)) return;
    this.#values.set(name, value);
    if (name === "link") this.#linkBase = this.#base;
  }

  /** Where an item leads that names no page: its id, or the file it brings. */
  #otherLink(id: string): string {
    if (this.#isPermaLink && /^https?:\/\//i.test(id)) return id;
    return resolvedLink(contentOf(this.#values.get("enclosure") ?? { text: "" }).trim(), this.#base);
  }

  #add(): void {
    if (this.#items.length >= maxEntries) throw tooManyEntries();
    const valuesOf = (field: keyof typeof fields) => fields[field].flatMap((name) => this.#values.get(name) ?? []);
    const fieldOf = (field: keyof typeof fields): FeedText => valuesOf(field)[0] ?? { text: "" };
    const textOf = (field: keyof typeof fields) => contentOf(fieldOf(field)).trim();
    const [title, body, date, link] = [fieldOf("title"), fieldOf("body"), textOf("date"), textOf("link")];
    const id = textOf("id");
    const [, otherBody] = valuesOf("body");
    const identity = identityOf({
      id,
      link,
      title: contentOf(title),
      body: contentOf(body),
      date,
    });
    this.#items.push({
      identity,
      title,
      body,
      ...(otherBody && { otherBody }),
      link: resolvedLink(link, this.#linkBase) || this.#otherLink(id),
      author: textOf("author"),
      date,
    });
  }
}
