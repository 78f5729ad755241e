import * as z from "zod";
import { type Feed, type FeedText, identityOf, maxEntries, resolvedLink, tooManyEntries } from "./feed.ts";

const text = z.string().catch("");
const author = z.object({ name: text }).optional().catch(undefined);

/** JSON Feed (https://www.jsonfeed.org/version/1.1/); whatever is not of the expected type counts as absent. */
const document = z.object({
  version: z.string().regex(/^https?:\/\/(?:www\.)?jsonfeed\.org\/version\//),
  title: text,
  items: z.array(z.unknown()),
});
const entry = z
  .object({
    // Version 1 allowed numbers.
    id: z.coerce.string().catch(""),
    url: text,
    // Of what is a page elsewhere, where that is.
    external_url: text,
    title: text,
    content_html: text,
    content_text: text,
    summary: text,
    date_published: text,
    date_modified: text,
    author,
    authors: z.array(author).catch([]),
  })
  .partial();

/**
 * @param base where the document lies
 * @returns `undefined` when it is not a JSON Feed
 * @throws source_too_large when it has more entries than any feed that is read
 */
export function parseJsonFeed(json: string, base: string): Feed | undefined {
  const parsed = document.safeParse(jsonOf(json));
  if (!parsed.success) return undefined;
  if (parsed.data.items.length > maxEntries) throw tooManyEntries();
  const items = parsed.data.items.flatMap((value) => {
    const item = entry.safeParse(value);
    if (!item.success) return [];
    const { id = "", url = "", title = "", summary = "", content_html = "", content_text = "" } = item.data;
    const date = item.data.date_published || item.data.date_modified || "";
    const body: FeedText = content_html === "" ? { text: content_text || summary } : { html: content_html };
    return {
      identity: identityOf({ id, link: url, title, body: content_html || content_text || summary, date }),
      title: { text: title },
      link: resolvedLink(url || (item.data.external_url ?? ""), base),
      author: item.data.authors?.[0]?.name ?? item.data.author?.name ?? "",
      body,
      ...(content_html !== "" && { otherBody: { text: content_text || summary } }),
      date,
    };
  });
  return { title: { text: parsed.data.title }, items, complete: true };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON is no feed of that kind.
    return undefined;
  }
}
