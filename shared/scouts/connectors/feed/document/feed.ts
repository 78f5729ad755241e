/** A text as a feed gives it: as it is, or as HTML. */
export type FeedText = { readonly text: string } | { readonly html: string };

export interface FeedItem {
  /** The feed's own id of it (`guid`, `id`, `rdf:about`), else its link, else what it says. Unique in a feed. */
  readonly identity: string;
  readonly title: FeedText;
  /** Where it can be read, by {@link resolvedLink}; empty when it does not say. */
  readonly link: string;
  readonly author: string;
  readonly body: FeedText;
  /** As the feed writes it; see dates.ts. */
  readonly date: string;
}

export interface Feed {
  readonly title: FeedText;
  readonly items: readonly FeedItem[];
  /** Whether the document was read to its proper end. */
  readonly complete: boolean;
}

/**
 * A link as it is meant where it stands (RFC 3986 §5): one that is relative, by the address that counts there. What makes no address
 * stays as it is written.
 */
export function resolvedLink(link: string, base: string): string {
  return link === "" ? "" : (URL.parse(link, base)?.href ?? link);
}

/** More entries than this are no feed; each costs memory and a hash. */
export const maxEntries = 10_000;

/** What makes an item itself, by the best that is there. The kind keeps a link from passing for an id. */
export function identityOf(item: { id: string; link: string; title: string; body: string; date: string }): string {
  if (item.id !== "") return `id ${item.id}`;
  if (item.link !== "") return `link ${item.link}`;
  return `text ${item.date}\n${item.title}\n${item.body.slice(0, 1000)}`;
}
