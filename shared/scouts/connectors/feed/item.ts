import { Transient } from "../../../privacy/transient.ts";
import { readableText } from "../../triage/readable-text.ts";
import type { ItemContent } from "../connector.ts";
import { publishedAtMs } from "./dates.ts";
import type { FeedItem } from "./feed.ts";

const maxTitleCharacters = 500;
const snippetCharacters = 200;

/** An item as triage and delivery take it. It is present: it was found in its feed just now. */
export function contentOf(item: FeedItem, nowMs: number): ItemContent {
  const text = readableText(item.body);
  return {
    subject: new Transient(line(readableText(item.title), maxTitleCharacters)),
    sender: new Transient(line(readableText({ html: item.author }), maxTitleCharacters)),
    snippet: new Transient(line(text, snippetCharacters)),
    text: new Transient(text),
    receivedAtMs: publishedAtMs(item.date, nowMs),
    present: true,
  };
}

function line(text: string, characters: number): string {
  return text.replace(/\s+/g, " ").slice(0, characters).toWellFormed();
}
