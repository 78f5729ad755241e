import { ScoutsError } from "../../../../events/errors.ts";
import { decodedText } from "./charset.ts";
import type { Feed } from "./feed.ts";
import { parseJsonFeed } from "./parse-json.ts";
import { parseXmlFeed } from "./parse-xml.ts";

/**
 * Reads RSS 0.9 to 2.0, RDF, Atom or JSON Feed, leniently: real feeds are full of mistakes.
 *
 * @throws source_no_feed when it is a web page, source_unreadable when it is anything else
 */
export function parseFeed(body: Buffer, contentType: string): Feed {
  const text = decodedText(body, contentType);
  const feed = /^\s*\{/.test(text) ? parseJsonFeed(text) : parseXmlFeed(text);
  if (!feed) throw new ScoutsError(isPage(text) ? "source_no_feed" : "source_unreadable");
  const seen = new Set<string>();
  const items = feed.items.filter(({ identity }) => !seen.has(identity) && seen.add(identity));
  return { ...feed, items };
}

/** Whatever it is called: a server's page of errors, a page for signing in, the page that a feed is of. */
const isPage = (text: string): boolean =>
  /^(?:\uFEFF|\s|<!--[^]*?-->|<\?xml[^>]*>)*<(?:!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 10_000));
