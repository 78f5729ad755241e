import { ScoutsError } from "../../../../../events/errors.ts";

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

/** More entries than this are not read; each costs memory and a hash. */
export const maxEntries = 10_000;
export const tooManyEntries = () => new ScoutsError("source_too_large", { data: { maxEntries } });

/** What makes an item itself, by the best that is there. The kind keeps a link from passing for an id. */
export function identityOf(item: { id: string; link: string; title: string; body: string; date: string }): string {
  if (item.id !== "") return `id ${item.id}`;
  if (item.link !== "") return `${byLink}${item.link}`;
  return identityOfText(item);
}

const byLink = "link ";
const identityOfText = ({ date, title, body }: { date: string; title: string; body: string }): string =>
  `text ${date}\n${title}\n${body.slice(0, 1000)}`;

/**
 * The items of a feed, each under an identity of its own. Where several have none but their link, and all lead to the same page, they are
 * known by what they say: else the first would hide all that follow it, for ever.
 */
export function toldApart(items: readonly FeedItem[]): FeedItem[] {
  const alike = Map.groupBy(items, ({ identity }) => identity);
  const own = items.map((item) => {
    const isShared = item.identity.startsWith(byLink) && (alike.get(item.identity)?.length ?? 0) > 1;
    const said = { date: item.date, title: contentOf(item.title), body: contentOf(item.body) };
    return isShared ? { ...item, identity: identityOfText(said) } : item;
  });
  const seen = new Set<string>();
  return own.filter(({ identity }) => !seen.has(identity) && seen.add(identity));
}

/** A text of a feed as it is written there. */
export function contentOf(value: FeedText): string {
  return "html" in value ? value.html : value.text;
}
