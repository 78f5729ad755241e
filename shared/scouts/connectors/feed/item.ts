import { Transient } from "../../../privacy/transient.ts";
import { maxReadableCharacters, readableText } from "../../triage/readable-text.ts";
import type { ItemContent, Sender } from "../connector.ts";
import { itemMetadata } from "../metadata.ts";
import { publishedAtMs, saidAtMs } from "./document/dates.ts";
import type { FeedItem } from "./document/feed.ts";

/** Titles and authors are lines; of more than this of one nothing is shown. */
const maxLineCharacters = 20_000;
const snippetCharacters = 200;

/** An item as triage and delivery take it. It is present: it was found in its feed just now. */
export function contentOf(item: FeedItem, nowMs: number): ItemContent {
  const text = readableText(item.body);
  const metadata = itemMetadata({
    subject: readableText(item.title),
    sender: authorOf(readableText({ html: item.author.slice(0, maxLineCharacters) })),
    snippet: text.slice(0, snippetCharacters),
    receivedAtMs: publishedAtMs(item.date, nowMs),
    sentAt: saidAtMs(item.date),
    present: true,
    // Whoever reads a feed has asked for it; it is addressed to nobody.
    relation: "unknown",
    automatic: false,
    sourceLink: item.link,
  });
  return { ...metadata, text: new Transient(text), ...(text.length >= maxReadableCharacters && { isCut: true }) };
}

/** RSS writes `ada@example.org (Ada)`, Atom and JSON Feed a name. */
function authorOf(author: string): Sender {
  const [, address, name] = /^\s*([^\s()@]+@[^\s()@]+)(?:\s+\((.*)\))?\s*$/.exec(author) ?? [];
  return address === undefined ? { name: author, address: "" } : { name: name ?? "", address };
}
