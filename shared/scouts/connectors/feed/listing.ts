import * as z from "zod";
import { isScoutsError, ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";
import type { RingSealer } from "../../../privacy/ring-sealer.ts";
import { Transient } from "../../../privacy/transient.ts";
import { sealingContext } from "../../scout-row.ts";
import { readableText } from "../../triage/readable-text.ts";
import type { ScoutAtSource } from "../connector.ts";
import type { Feed } from "./feed.ts";
import { type FetchOptions, fetchDocument, type Validators } from "./fetch-document.ts";
import { parseFeed } from "./parse-feed.ts";
import { type FeedPosition, markerOf, nowKnown, readPosition, writePosition } from "./position.ts";
import { type FeedAccess, refOf } from "./settings.ts";

/** Servers that answer 304 whatever has changed exist: once a day the feed is read in any case. */
const unconditionalEverySeconds = 86_400;
/** Items looked at of one feed, the newest where they have dates: fewer than a position can remember. */
const maxItems = 1000;

const validatorsSchema = z.object({ etag: z.string(), lastModified: z.string() }).partial();

export interface ListingPorts {
  readonly scout: ScoutAtSource;
  readonly vault: RingSealer;
  readonly fetchOptions: FetchOptions;
}

/** Of a feed that is new to its scout, so many of the newest items are news: its owner sees at once what it is about. */
const firstItems = 10;

/** A feed as a scout meets it: its title, its items, and a position before the newest of them. */
export async function firstReading(
  ports: ListingPorts,
  access: FeedAccess,
): Promise<{ title: string; items: number; cursor: string; isPublic: boolean }> {
  const document = await fetchDocument(access.url, {}, ports.fetchOptions);
  // Without validators a 304 is a server's mistake.
  if (!document) throw new ScoutsError("source_unavailable");
  const feed = parseFeed(document.body, document.contentType, document.url);
  const refs = byAge(feed).map((item) => refOf(access, item.identity));
  const cursor = writePosition({
    known: nowKnown(new Set(), refs.slice(firstItems, maxItems)),
    readAtSeconds: Math.floor(ports.fetchOptions.nowMs / 1000),
  });
  const { isPublic } = document;
  return { title: readableText(feed.title), items: feed.items.length, cursor, isPublic };
}

/** What is in a feed now and was not known at a position. A feed is one document, so there is one page. */
export async function listNew(
  ports: ListingPorts,
  access: FeedAccess,
  at: string | FeedPosition,
): Promise<{ refs: ItemRef[]; cursor: string }> {
  const position = typeof at === "string" ? readPosition(at) : at;
  const nowSeconds = Math.floor(ports.fetchOptions.nowMs / 1000);
  const known = await validatorsAt(ports, position, nowSeconds);
  const document = await fetchDocument(access.url, known, ports.fetchOptions);
  if (!document) return { refs: [], cursor: writePosition(position) };
  const feed = parseFeed(document.body, document.contentType, document.url);
  const refs = newest(feed).map((item) => refOf(access, item.identity));
  const cursor = writePosition({
    known: nowKnown(position.known, refs),
    readAtSeconds: nowSeconds,
    // A document that broke off is read again, whatever its server says.
    ...(feed.complete ? await sealValidators(ports, document.validators) : {}),
  });
  return { refs: refs.filter((ref) => !position.known.has(markerOf(ref))), cursor };
}

function newest(feed: Feed): Feed["items"] {
  return feed.items.length <= maxItems ? feed.items : byAge(feed).slice(0, maxItems);
}

/** Newest first; those without a date last, in the feed's own order. */
function byAge({ items }: Feed): Feed["items"] {
  const dated = items.map((item) => ({ item, atMs: Date.parse(item.date.trim()) || 0 }));
  return dated.sort((a, b) => b.atMs - a.atMs).map(({ item }) => item);
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
async function openUnlessRotatedAway(ports: ListingPorts, sealed: string): Promise<Transient<string> | undefined> {
  try {
    return await ports.vault.open(sealed, sealingContext(ports.scout, "position"));
  } catch (error) {
    if (isScoutsError(error, "sealed_unreadable")) return undefined;
    throw error;
  }
}

async function sealValidators(ports: ListingPorts, validators: Validators): Promise<{ validators?: string }> {
  if (validators.etag === undefined && validators.lastModified === undefined) return {};
  const content = new Transient(JSON.stringify(validators));
  return { validators: await ports.vault.seal(content, sealingContext(ports.scout, "position")) };
}
