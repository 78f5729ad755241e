import { Transient } from "../../../privacy/transient.ts";
import { withoutBlankLines } from "../../../text/without-blank-lines.ts";
import { maxReadableCharacters, type Reading, readableText } from "../../triage/readable-text.ts";
import type { ItemContent, Sender } from "../connector.ts";
import { itemMetadata } from "../metadata.ts";
import { publishedAtMs, saidAtMs } from "./document/dates.ts";
import type { FeedItem } from "./document/feed.ts";

/** Titles and authors are lines; of more than this of one nothing is shown. */
const maxLineCharacters = 20_000;
const snippetCharacters = 200;
const titleCharacters = 100;

/** An item as triage and delivery take it. It is present: it was found in its feed just now. */
export function contentOf(item: FeedItem, nowMs: number, reading: Reading = "words"): ItemContent {
  const read = (how: Reading) => readableText(item.body, how) || readableText(item.otherBody ?? {}, how);
  const text = read("words");
  const metadata = itemMetadata({
    subject: readableText(item.title) || titleIn(text),
    sender: senderOf(item),
    snippet: withoutBlankLines(text).slice(0, snippetCharacters),
    receivedAtMs: publishedAtMs(item.date, nowMs),
    sentAt: saidAtMs(item.date),
    present: true,
    // Whoever reads a feed has asked for it; it is addressed to nobody.
    relation: "unknown",
    automatic: false,
    sourceLink: item.link,
  });
  return {
    ...metadata,
    text: new Transient(reading === "words" ? text : read(reading)),
    ...(text.length >= maxReadableCharacters && { isCut: true }),
  };
}

/** How an item begins, for one that has no title, as short messages have none: their readers tell them apart by it. */
function titleIn(text: string): string {
  const [line = ""] = text.slice(0, titleCharacters + 1).split("\n");
  if (line.length <= titleCharacters) return line;
  const lastBlank = line.lastIndexOf(" ");
  return `${line.slice(0, lastBlank > titleCharacters / 2 ? lastBlank : titleCharacters - 1).toWellFormed()}…`;
}

/** Its author; else its feed, by whose title a reader of several knows where it is from. */
function senderOf({ author, feedTitle }: FeedItem): Sender {
  const written = authorOf(readableText({ html: author.slice(0, maxLineCharacters) }));
  if (written.name !== "" || written.address !== "" || feedTitle === undefined) return written;
  return { name: readableText(feedTitle), address: "" };
}

/** RSS writes `ada@example.org (Ada)`, Atom and JSON Feed a name. */
function authorOf(author: string): Sender {
  const [, address, name] = /^\s*([^\s()@]+@[^\s()@]+)(?:\s+\((.*)\))?\s*$/.exec(author) ?? [];
  return address === undefined ? { name: author, address: "" } : { name: name ?? "", address };
}
