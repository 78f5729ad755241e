import { ScoutsError } from "../../../../../events/errors.ts";

/** A text as a feed gives it: as it is, or as HTML. */
export type FeedText = { readonly text: string } | { readonly html: string };

export interface FeedItem {
  /** The feed's own id of it (`guid`, `id`, `rdf:about`), else its link, else what it says. Unique in a feed. */
  readonly identity: string;
  /** Known by its link as long as that is its alone: what it says, by which it is told apart from one that comes to share the link. */
  readonly alsoKnownAs?: string;
  /** Its link, which others share: by it one of them may have been known before the others came. */
  readonly sharedIdentity?: string;
  readonly title: FeedText;
  /** Where it can be read, by {@link resolvedLink}; empty when it does not say. */
  readonly link: string;
  readonly author: string;
  /** Its feed's title: parse-feed.ts tells it. */
  readonly feedTitle?: FeedText;
  readonly body: FeedText;
  /** What is read where the body shows nothing, as one of pictures alone. */
  readonly otherBody?: FeedText;
  /** As the feed writes it; see dates.ts. */
  readonly date: string;
}

export interface Feed {
  readonly title: FeedText;
  readonly items: readonly FeedItem[];
  /** Whether the document was read to its proper end, or as far as any is. */
  readonly complete: boolean;
  /** It goes on with older items, which are not read. */
  readonly isCut?: true;
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
  if (item.id !== "") return `${byId}${item.id}`;
  if (item.link !== "") return `${byLink}${item.link}`;
  return identityOfText(item);
}

const byId = "id ";
const byLink = "link ";
const identityOfText = ({ date, title, body }: { date: string; title: string; body: string }): string =>
  `text ${date}\n${title}\n${body.slice(0, 1000)}`;

/**
 * The items of a feed, each under an identity of its own. Where several have none but their link, and all lead to the same page, they are
 * known by what they say: else the first would hide all that follow it, for ever.
 */
export function toldApart(items: readonly FeedItem[]): FeedItem[] {
  const identified = withoutSharedIds(items);
  const alike = Map.groupBy(identified, ({ identity }) => identity);
  const own = identified.map((item) => {
    if (!item.identity.startsWith(byLink)) return item;
    const text = identityOfText(saidBy(item));
    const isShared = (alike.get(item.identity)?.length ?? 0) > 1;
    return isShared ? { ...item, identity: text, sharedIdentity: item.identity } : { ...item, alsoKnownAs: text };
  });
  const seen = new Set<string>();
  return own.filter(({ identity }) => !seen.has(identity) && seen.add(identity));
}

/**
 * An id that items share which lead to other pages under other titles is none, as where a program writes the feed's own address for each:
 * they are known as if they had none. Under another title alone, or by another way to the same, it is one item listed twice.
 */
function withoutSharedIds(items: readonly FeedItem[]): FeedItem[] {
  const shared = new Set<string>();
  for (const [identity, alike] of Map.groupBy(items, (item) => item.identity)) {
    const [links, titles] = [new Set<string>(), new Set<string>()];
    for (const { link, title } of alike) {
      links.add(link);
      titles.add(contentOf(title).trim());
    }
    if (links.size > 1 && titles.size > 1) shared.add(identity);
  }
  return items.map((item) => {
    if (!item.identity.startsWith(byId) || !shared.has(item.identity)) return item;
    return { ...item, identity: identityOf({ id: "", link: item.link, ...saidBy(item) }) };
  });
}

const saidBy = ({ date, title, body }: FeedItem) => ({ date, title: contentOf(title), body: contentOf(body) });

/** A text of a feed as it is written there. */
export function contentOf(value: FeedText): string {
  return "html" in value ? value.html : value.text;
}
