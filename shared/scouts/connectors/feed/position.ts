import * as z from "zod";
import type { ItemRef } from "../../../../events/ids.ts";
import { storedText } from "../../../stored-row.ts";

/** So much of a ref tells it from the others of its feed: 48 bits, where 11,000 are known at most. */
const markerCharacters = 8;
/**
 * Items that are remembered: all that are in the feed (`maxEntries` at most), and those that have left it last: so many with
 * them, and at least so many.
 */
const mostOfFew = 2000;
const fewestLeft = 1000;

/**
 * Where a feed has been read to: which items are known, when it was read, and what the server wants to be shown next
 * time. Feeds have no order that could be trusted, so "since" means "not among these".
 */
const position = z.object({
  /** 1 is of a time when only the newest {@link formerlyLookedAt} items of a feed were known. */
  v: z.union([z.literal(1), z.literal(2)]),
  /** Beginnings of refs, one after the other. They are of a keyed hash, and say nothing without the scout's key. */
  known: z.string().regex(/^(?:[\w-]{8})*$/),
  readAtSeconds: z.number(),
  /** When the server last said that it is still as it was read. */
  sameAtSeconds: z.number().optional(),
  /** Sealed: the server is free to put anything into an ETag, the item's title for one. */
  validators: z.string().optional(),
  /** Sealed: where the feed has moved to for good since its scout was made. */
  movedTo: z.string().optional(),
});
export interface FeedPosition {
  readonly known: ReadonlySet<string>;
  readonly readAtSeconds: number;
  readonly sameAtSeconds?: number;
  readonly validators?: string;
  readonly movedTo?: string;
  /** Nothing is remembered of items beyond the newest {@link formerlyLookedAt}, whether they are new or not. */
  readonly ofNewestOnly?: true;
}

export const formerlyLookedAt = 1000;

/** The beginning of a ref, which is all that a position remembers of an item. */
export function markerOf(ref: ItemRef): string {
  return ref.slice(0, markerCharacters);
}

/**
 * Remembers the items of the feed as it is now. Those that have left it are kept as long as there is room, since feeds
 * lose items for a while and get them back: all of them, when a document was cut short.
 */
export function nowKnown(before: ReadonlySet<string>, refs: readonly ItemRef[]): Set<string> {
  const all = new Set(refs.map(markerOf));
  const most = Math.max(mostOfFew, before.size, all.size + fewestLeft);
  for (const marker of before) {
    if (all.size >= most) break;
    all.add(marker);
  }
  return all;
}

/** A position as its row keeps it; {@link readPosition} reads it. */
export function writePosition({ known, ofNewestOnly, ...rest }: FeedPosition): string {
  return JSON.stringify({ v: ofNewestOnly ? 1 : 2, known: [...known].join(""), ...rest });
}

/** @throws row_damaged when the text is not one of ours */
export function readPosition(text: string): FeedPosition {
  const { v, known, readAtSeconds, sameAtSeconds, validators, movedTo } = storedText(text, "position", (stored) =>
    position.parse(JSON.parse(stored)),
  );
  return {
    known: new Set(known.match(/.{8}/g)),
    readAtSeconds,
    ...(sameAtSeconds === undefined ? {} : { sameAtSeconds }),
    ...(validators === undefined ? {} : { validators }),
    ...(movedTo === undefined ? {} : { movedTo }),
    ...(v === 1 ? { ofNewestOnly: true } : {}),
  };
}
