import { isScoutsError, ScoutsError } from "../../../../../events/errors.ts";
import type { FetchedDocument } from "../fetch-document.ts";
import { readsNewestFirst } from "../order.ts";
import { decodedText } from "./charset.ts";
import { type Feed, toldApart } from "./feed.ts";
import { parseJsonFeed } from "./parse-json.ts";
import { parseXmlFeed } from "./parse-xml.ts";

/**
 * Reads RSS 0.9 to 2.0, RDF, Atom or JSON Feed, leniently: real feeds are full of mistakes.
 *
 * @param url where the document was read in the end, for links that are relative
 * @throws source_no_feed when it is a web page, source_too_large when it has too many entries, source_unreadable when it is anything else
 */
export function parseFeed(body: Buffer, contentType: string, url: string): Feed {
  const text = decodedText(body, contentType);
  const feed = /^\s*\{/.test(text) ? parseJsonFeed(text, url) : parseXmlFeed(text, url);
  if (!feed) throw new ScoutsError(isPage(text) ? "source_no_feed" : "source_unreadable");
  return { ...feed, items: toldApart(feed.items).map((item) => ({ ...item, feedTitle: feed.title })) };
}

/** How far the beginning of a document is looked through for what it is. */
const startCharacters = 10_000;

/**
 * Reads the feed that was fetched. Of one that is longer than what is read the beginning will do, where its newest are.
 *
 * @throws as {@link parseFeed}; source_too_large when its newest are not there, or nobody can tell
 */
export function feedIn({ body, contentType, url, isCut }: FetchedDocument): Feed {
  if (!isCut) return parseFeed(body, contentType, url);
  const tooLarge = (cause?: unknown) => new ScoutsError("source_too_large", { data: { bytes: body.length }, cause });
  try {
    const feed = parseFeed(body, contentType, url);
    if (readsNewestFirst(feed.items)) return { ...feed, complete: true, isCut: true };
  } catch (error) {
    // What it is cannot be told from a part of it.
    throw isScoutsError(error, "source_unreadable") ? tooLarge(error) : error;
  }
  throw tooLarge();
}

/** A server's page of errors, a page for signing in, the page that a feed is of. Comments may come first. */
function isPage(text: string): boolean {
  let start = text.slice(0, startCharacters).trimStart();
  for (let end = endOfPreamble(start); end > 0; end = endOfPreamble(start)) start = start.slice(end).trimStart();
  return /^<(?:!doctype\s+html|html|head|body)\b/i.test(start);
}

/** Where a comment or a declaration of XML ends that stands at the beginning; 0 where none does. */
function endOfPreamble(text: string): number {
  const end = text.startsWith("<!--") ? "-->" : text.startsWith("<?") ? "?>" : undefined;
  const at = end === undefined ? -1 : text.indexOf(end);
  return end === undefined || at < 0 ? 0 : at + end.length;
}
