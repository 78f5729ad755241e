import { ScoutsError } from "../../../../events/errors.ts";
import { decodedText } from "./charset.ts";
import type { Feed } from "./feed.ts";
import { parseJsonFeed } from "./parse-json.ts";
import { parseXmlFeed } from "./parse-xml.ts";

/**
 * Reads RSS 0.9 to 2.0, RDF, Atom or JSON Feed, leniently: real feeds are full of mistakes.
 *
 * @throws source_unreadable when it is none of them
 */
export function parseFeed(body: Buffer, contentType: string): Feed {
  const text = decodedText(body, contentType);
  const feed = /^\s*\{/.test(text) ? parseJsonFeed(text) : parseXmlFeed(text);
  if (!feed) throw new ScoutsError("source_unreadable");
  const seen = new Set<string>();
  const items = feed.items.filter(({ identity }) => !seen.has(identity) && seen.add(identity));
  return { ...feed, items };
}
