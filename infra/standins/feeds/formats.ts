export interface PublishedItem {
  readonly guid: string;
  readonly link: string;
  readonly title: string;
  readonly html: string;
  readonly author: string;
  readonly publishedAtMs: number;
}

export interface Rendered {
  readonly contentType: string;
  readonly body: string;
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function rss(title: string, items: readonly PublishedItem[]): Rendered {
  const entries = items.map(
    (item) => `<item>
<guid isPermaLink="false">${escaped(item.guid)}</guid><link>${escaped(item.link)}</link>
<title>${escaped(escaped(item.title))}</title><dc:creator>${escaped(item.author)}</dc:creator>
<pubDate>${new Date(item.publishedAtMs).toUTCString()}</pubDate>
<description>${escaped(item.html)}</description></item>`,
  );
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>${escaped(title)}</title>
${entries.join("\n")}
</channel></rss>`;
  return { contentType: "application/rss+xml", body };
}

function atom(title: string, items: readonly PublishedItem[]): Rendered {
  const entries = items.map(
    (item) => `<entry><id>${escaped(item.guid)}</id><link href="${escaped(item.link)}"/>
<title>${escaped(item.title)}</title><author><name>${escaped(item.author)}</name></author>
<updated>${new Date(item.publishedAtMs).toISOString()}</updated>
<content type="html">${escaped(item.html)}</content></entry>`,
  );
  const body = `<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>${escaped(title)}</title>
${entries.join("\n")}
</feed>`;
  return { contentType: "application/atom+xml; charset=utf-8", body };
}

function jsonFeed(title: string, items: readonly PublishedItem[]): Rendered {
  const entries = items.map(({ guid, link, author, publishedAtMs, ...item }) => ({
    id: guid,
    url: link,
    title: item.title,
    content_html: item.html,
    date_published: new Date(publishedAtMs).toISOString(),
    authors: [{ name: author }],
  }));
  const body = JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title, items: entries });
  return { contentType: "application/feed+json", body };
}

/** The ways a feed is written, by the path it is found at. */
export const formats = { "/rss.xml": rss, "/atom.xml": atom, "/feed.json": jsonFeed } as const;
export type FeedPath = keyof typeof formats;

/** Whether a feed is found at this path. */
export function isFeedPath(path: string): path is FeedPath {
  return path in formats;
}
