import type { ItemRef } from "../../../../events/ids.ts";
import type { FeedItem } from "./document/feed.ts";
import { newestFirst } from "./order.ts";
import { type FeedAccess, refOf } from "./settings.ts";

/** An item's ref, and another one that it may have had: an item of which either is known is no news. */
export function refsOfItem(access: FeedAccess, { identity, alsoKnownAs }: FeedItem): readonly [ItemRef, ...ItemRef[]] {
  const ref = refOf(access, identity);
  return alsoKnownAs === undefined ? [ref] : [ref, refOf(access, alsoKnownAs)];
}

/** The items of a feed by each ref that they may have had. Of those that share a link the oldest had it alone. */
export function itemsByRef(access: FeedAccess, items: readonly FeedItem[]): ReadonlyMap<string, FeedItem> {
  const byRef = new Map<string, FeedItem>();
  for (const item of newestFirst(items)) {
    for (const ref of refsOfItem(access, item)) byRef.set(ref, item);
    if (item.sharedIdentity !== undefined) byRef.set(refOf(access, item.sharedIdentity), item);
  }
  return byRef;
}
