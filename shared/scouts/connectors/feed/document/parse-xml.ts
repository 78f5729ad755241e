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

const roots: ReadonlySet<string> = new Set(["rss", "rdf:RDF", "feed"]);
const entries: ReadonlySet<string> = new Set(["item", "entry"]);

/** The fields of an item, each by the elements that carry it, best first (RSS 2.0, RDF, Atom, content and dc modules). */
const fields = {
  id: ["guid", "id"],
  link: ["link"],
  title: ["title"],
  body: ["content:encoded", "content", "description", "summary"],
  author: ["name", "dc:creator", "author"],
  date: ["pubDate", "published", "dc:date", "updated"],
} as const;
const wanted: ReadonlySet<string> = new Set(Object.values(fields).flat());

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
  /** Where its markup begins, for content that is markup itself (Atom's `xhtml`). */
  readonly from: number;
}

class FeedReader {
  readonly #xml: string;
  readonly #parser: Parser;
  readonly #items: FeedItem[] = [];
  #depth = 0;
  #root: string | undefined;
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
        onopentag: (name, attributes) => this.#open(name, attributes),
        ontext: (text) => this.#text(text),
        onclosetag: (name, isImplied) => this.#close(name, isImplied),
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

  #open(name: string, attributes: Record<string, string>): void {
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new ScoutsError("source_unreadable", { data: { maxDepth } });
    this.#root ??= name;
    this.#enter(attributes["xml:base"]);
    if (this.#field) return;
    if (this.#entryDepth === 0 && entries.has(name)) {
      this.#entryDepth = this.#depth;
      this.#values = new Map();
      this.#isPermaLink = false;
      const about = attributes["rdf:about"];
      if (about !== undefined) this.#values.set("id", { text: about });
      return;
    }
    if (name === "link" && this.#entryDepth > 0 && attributes["href"] !== undefined) {
      const isMain = (attributes["rel"] ?? "alternate") === "alternate";
      if (isMain) this.#set("link", { text: attributes["href"] });
      return;
    }
    // An Atom author's name is one level further down.
    const level = this.#depth - this.#entryDepth;
    const inEntry = this.#entryDepth > 0 && (level === 1 || (level === 2 && name === "name"));
    const ofFeed = this.#entryDepth === 0 && name === "title" && this.#depth <= 3;
    if ((!inEntry && !ofFeed) || !wanted.has(name) || (name === "author" && this.#root === "feed")) return;
    if (name === "guid") this.#isPermaLink = attributes["isPermaLink"] !== "false";
    const type = attributes["type"] ?? (this.#root === "feed" ? "text" : "html");
    this.#field = { name, depth: this.#depth, type, text: "", from: this.#parser.endIndex + 1 };
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
    const markup = field.type.includes("xhtml");
    const end = Math.min(this.#parser.startIndex, field.from + maxFieldCharacters);
    const content = markup ? this.#xml.slice(field.from, end) : field.text;
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

  #add(): void {
    if (this.#items.length >= maxEntries) throw tooManyEntries();
    const fieldOf = (field: keyof typeof fields): FeedText => {
      const name = fields[field].find((candidate) => this.#values.has(candidate));
      return (name === undefined ? undefined : this.#values.get(name)) ?? { text: "" };
    };
    const textOf = (field: keyof typeof fields) => contentOf(fieldOf(field)).trim();
    const [title, body, date, link] = [fieldOf("title"), fieldOf("body"), textOf("date"), textOf("link")];
    const id = textOf("id");
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
      link: resolvedLink(link, this.#linkBase) || (this.#isPermaLink && /^https?:\/\//i.test(id) ? id : ""),
      author: textOf("author"),
      date,
    });
  }
}
