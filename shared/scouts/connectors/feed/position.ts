import * as z from "zod";
import { ScoutsError } from "../../../../events/errors.ts";
import type { ItemRef } from "../../../../events/ids.ts";

/** So much of a ref tells it from the others of its feed: 48 bits, where 2,000 are known at most. */
const markerCharacters = 8;
/** Items that are remembered: those in the feed, then those that have left it last. */
const maxKnown = 2000;

/**
 * Where a feed has been read to: which items are known, when it was read, and what the server wants to be shown next
 * time. Feeds have no order that could be trusted, so "since" means "not among these".
 */
const position = z.object({
  v: z.literal(1),
  /** Beginnings of refs, one after the other. They are of a keyed hash, and say nothing without the scout's key. */
  known: z.string().regex(/^(?:[\w-]{8})*$/),
  readAtSeconds: z.number(),
  /** Sealed: the server is free to put anything into an ETag, the item's title for one. */
  validators: z.string().optional(),
});
export interface FeedPosition {
  readonly known: ReadonlySet<string>;
  readonly readAtSeconds: number;
  readonly validators?: string;
}

export const nothingKnown: FeedPosition = { known: new Set(), readAtSeconds: 0 };

export function markerOf(ref: ItemRef): string {
  return ref.slice(0, markerCharacters);
}

/**
 * Remembers the items of the feed as it is now. Those that have left it are kept as long as there is room, since feeds
 * lose items for a while and get them back.
 */
export function nowKnown(before: ReadonlySet<string>, refs: readonly ItemRef[]): Set<string> {
  const all = new Set(refs.map(markerOf));
  for (const marker of before) {
    if (all.size >= maxKnown) break;
    all.add(marker);
  }
  return all;
}

export function writePosition({ known, readAtSeconds, validators }: FeedPosition): string {
  const of = { v: 1 as const, known: [...known].join(""), readAtSeconds };
  return JSON.stringify(validators === undefined ? of : { ...of, validators });
}

/** @throws source_unreadable when the text is not one of ours: the row was damaged. */
export function readPosition(text: string): FeedPosition {
  try {
    const { known, readAtSeconds, validators } = position.parse(JSON.parse(text));
    const markers = new Set(known.match(/.{8}/g));
    return { known: markers, readAtSeconds, ...(validators === undefined ? {} : { validators }) };
  } catch (cause) {
    throw new ScoutsError("source_unreadable", { data: { what: "position" }, cause });
  }
}
