import * as z from "zod";
import type { ItemRef } from "../../../../events/ids.ts";
import { isUnopenable, type RingSealer } from "../../../privacy/ring-sealer.ts";
import { Transient } from "../../../privacy/transient.ts";
import { sealingContext } from "../../scout-row.ts";
import { readableText } from "../../triage/readable-text.ts";
import type { Gap, ScoutAtSource } from "../connector.ts";
import type { Feed, FeedItem } from "./document/feed.ts";
import { feedIn } from "./document/parse-feed.ts";
import { type FetchedDocument, type FetchOptions, fetchDocument, type Validators } from "./fetch-document.ts";
import { gapBetween } from "./gap.ts";
import { refsOfItem } from "./item-refs.ts";
import { requireSameNames } from "./named-anew.ts";
import { byDate, newestFirst } from "./order.ts";
import { type FeedPosition, formerlyLookedAt, markerOf, nowKnown, readPosition, writePosition } from "./position.ts";
import { type FeedAccess, placeOfFeed, sourceIdentities } from "./settings.ts";
import { whereItIs } from "./where-it-is.ts";

/** Servers that answer 304 whatever has changed exist: once a day the feed is read in any case. */
const unconditionalEverySeconds = 86_400;
/** So many items are news in one look, the newest of them; the next one finds the others. */
const mostNews = 1000;

const validatorsSchema = z.object({ etag: z.string(), lastModified: z.string() }).partial();

export interface ListingPorts {
  readonly scout: ScoutAtSource;
  readonly vault: RingSealer;
  readonly fetchOptions: FetchOptions;
  /** Throws where another scout of the same person reads what this one's feed has moved to: see moves.ts. */
  readonly refuse?: (to: string, wasThere: boolean) => Promise<void>;
}

/** What was found of a feed, and where it was: see {@link FetchedDocument}. */
export interface FirstReading extends Pick<FetchedDocument, "isPublic" | "permanentUrl"> {
  readonly title: string;
  readonly items: number;
  readonly cursor: string;
}

/**
 * A feed as a scout meets it: its title, its items, and a position before the newest of them.
 *
 * @param news how many of the newest that are
 */
export async function firstReading(ports: ListingPorts, access: FeedAccess, news: number): Promise<FirstReading> {
  const document = await fetchDocument(access.url, {}, ports.fetchOptions);
  const feed = feedIn(document);
  const earlier = newestFirst(feed.items).slice(news);
  const cursor = writePosition({
    known: nowKnown(new Set(), refsOf(access, earlier)),
    readAtSeconds: Math.floor(ports.fetchOptions.nowMs / 1000),
  });
  await requireSameNames(refsOf(access, feed.items), () => namesAt(ports, access, document.url));
  const { isPublic, permanentUrl } = document;
  return { title: readableText(feed.title), items: feed.items.length, cursor, isPublic, permanentUrl };
}

/** What is in a feed now and was not known at a position. A feed is one document, so there is one page. */
export async function listNew(
  ports: ListingPorts,
  access: FeedAccess,
  at: string | FeedPosition,
): Promise<{ refs: ItemRef[]; cursor: string; gap?: Gap }> {
  const position = typeof at === "string" ? readPosition(at) : at;
  const nowSeconds = Math.floor(ports.fetchOptions.nowMs / 1000);
  const validators = await validatorsAt(ports, position, nowSeconds);
  const read = async (url: string) => {
    const document = await fetchDocument(url, validators, ports.fetchOptions);
    return document && { document, feed: feedIn(document) };
  };
  const found = await whereItIs(read, access.url, () => openedMove(ports, position));
  if (!found) return { refs: [], cursor: writePosition(stillSame(position, nowSeconds)) };
  const { document, feed } = found;
  const move = await moveOf(ports, access, position, document.permanentUrl);
  const items = newestFirst(feed.items).map((item) => refsOfItem(access, item));
  const known = knownAt(position, access, feed);
  const isKnown = (refs: readonly ItemRef[]) => refs.some((ref) => known.has(markerOf(ref)));
  // Behind the last that is known are old ones, where the end is not in sight: they show when those before them have become shorter.
  const end = feed.isCut ? items.findLastIndex(isKnown) : -1;
  const news = items.slice(0, end < 0 ? items.length : end).filter((refs) => !isKnown(refs));
  const allNews = known.size > 0 && news.length === items.length;
  if (allNews) await requireSameNames(items.flat(), () => namesAt(ports, access, document.url));
  const later = new Set(news.slice(mostNews));
  const cursor = writePosition({
    known: nowKnown(known, items.filter((refs) => !later.has(refs)).flat()),
    readAtSeconds: nowSeconds,
    // A document that broke off, or has more news than one look takes, is read again, whatever its server says.
    ...(feed.complete && later.size === 0 ? await sealValidators(ports, document.validators) : {}),
    ...move,
  });
  const gap = feed.complete && allNews ? gapSince(position, feed, nowSeconds) : undefined;
  return { refs: news.slice(0, mostNews).map(([ref]) => ref), cursor, ...(gap && { gap }) };
}

const stillSame = (position: FeedPosition, nowSeconds: number): FeedPosition =>
  nowSeconds > position.readAtSeconds ? { ...position, sameAtSeconds: nowSeconds } : position;

/** Of a feed that has nothing of what it had. */
const gapSince = ({ readAtSeconds, sameAtSeconds }: FeedPosition, { items }: Feed, nowSeconds: number) =>
  items.length === 0 ? undefined : gapBetween((sameAtSeconds ?? readAtSeconds) * 1000, items, nowSeconds * 1000);

/** What the items of a feed are named, asked anew. */
async function namesAt({ fetchOptions }: ListingPorts, access: FeedAccess, url: string): Promise<readonly ItemRef[]> {
  return refsOf(access, feedIn(await fetchDocument(url, {}, fetchOptions)).items);
}

/** Every ref of each. */
function refsOf(access: FeedAccess, items: readonly FeedItem[]): ItemRef[] {
  return items.flatMap((item) => refsOfItem(access, item));
}

/** Items that were there and not looked at when nothing was remembered of them are no news now. */
function knownAt({ known, ofNewestOnly }: FeedPosition, access: FeedAccess, { items }: Feed): ReadonlySet<string> {
  if (!ofNewestOnly) return known;
  return new Set([...known, ...refsOf(access, byDate(items).slice(formerlyLookedAt)).map(markerOf)]);
}

async function validatorsAt(ports: ListingPorts, at: FeedPosition, nowSeconds: number): Promise<Validators> {
  if (at.validators === undefined || nowSeconds - at.readAtSeconds > unconditionalEverySeconds) return {};
  const opened = await openUnlessRotatedAway(ports, at.validators);
  if (!opened) return {};
  const { etag, lastModified } = validatorsSchema.parse(JSON.parse(opened.reveal()));
  return {
    ...(etag === undefined ? {} : { etag }),
    ...(lastModified === undefined ? {} : { lastModified }),
  };
}

/** Validators only save a download: those of a key that has left the ring are done without, and sealed anew. */
async function openUnlessRotatedAway(
  ports: Pick<ListingPorts, "scout" | "vault">,
  sealed: string,
): Promise<Transient<string> | undefined> {
  try {
    return await ports.vault.open(sealed, sealingContext(ports.scout, "position"));
  } catch (error) {
    if (isUnopenable(error)) return undefined;
    throw error;
  }
}

async function sealValidators(ports: ListingPorts, validators: Validators): Promise<{ validators?: string }> {
  if (validators.etag === undefined && validators.lastModified === undefined) return {};
  const content = new Transient(JSON.stringify(validators));
  return { validators: await ports.vault.seal(content, sealingContext(ports.scout, "position")) };
}

/**
 * Where a feed is now, when it is another place than the one it was known by: who adds that is told that it is read already.
 *
 * @throws source_in_use when it is read there already
 */
async function moveOf(
  { scout, vault, refuse }: ListingPorts,
  access: FeedAccess,
  position: FeedPosition,
  permanentUrl: string,
): Promise<{ movedTo?: string }> {
  const [here] = sourceIdentities(scout, permanentUrl);
  if (here === sourceIdentities(scout, placeOfFeed(access))[0]) return {};
  const known = await openedMove({ scout, vault }, position);
  await refuse?.(permanentUrl, known !== undefined && here === sourceIdentities(scout, known)[0]);
  return { movedTo: await vault.seal(new Transient(permanentUrl), sealingContext(scout, "position")) };
}

/** Where a feed has moved to since its scout was made, by its position. @throws row_damaged */
export const movedTo = (ports: Pick<ListingPorts, "scout" | "vault">, cursor: string): Promise<string | undefined> =>
  openedMove(ports, readPosition(cursor));

async function openedMove(
  ports: Pick<ListingPorts, "scout" | "vault">,
  { movedTo: sealed }: FeedPosition,
): Promise<string | undefined> {
  return sealed === undefined ? undefined : (await openUnlessRotatedAway(ports, sealed))?.reveal();
}
