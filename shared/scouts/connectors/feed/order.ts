import { saidAtMs } from "./document/dates.ts";
import type { FeedItem } from "./document/feed.ts";

/** An id or a link ends in its number; of a longer one no more is looked at. */
const endCharacters = 100;

/**
 * Newest first, as far as a feed tells: by date; then those without one, in the feed's own order, which is turned around where
 * its dates or the numbers in its ids rise.
 */
export function newestFirst(items: readonly FeedItem[]): readonly FeedItem[] {
  return byDate(listsOldestFirst(items) ? items.toReversed() : items);
}

/** Newest first; those without a date last, in the order given. */
export function byDate(items: readonly FeedItem[]): readonly FeedItem[] {
  const dated = items.map((item) => ({ item, atMs: saidAtMs(item.date) ?? 0 }));
  return dated.sort((a, b) => b.atMs - a.atMs).map(({ item }) => item);
}

/** Whether a feed certainly begins with its newest: its dates fall, or the numbers in its ids do. */
export const readsNewestFirst = (items: readonly FeedItem[]): boolean =>
  items.length > 1 && listsOldestFirst(items.toReversed());

function listsOldestFirst(items: readonly FeedItem[]): boolean {
  const steps = stepsOf(items.flatMap(({ date }) => saidAtMs(date) ?? [])).reduce((sum, step) => sum + step, 0);
  if (steps !== 0) return steps > 0;
  const numbers = items.flatMap(({ identity }) => numberIn(identity) ?? []);
  return numbers.length === items.length && stepsOf(numbers).every((step) => step > 0);
}

/** From each value to the next: 1 up, -1 down, 0 the same. */
function stepsOf(values: readonly (number | bigint)[]): number[] {
  return values.slice(1).map((value, at) => {
    const before = values[at] ?? value;
    return value > before ? 1 : value < before ? -1 : 0;
  });
}

/** The last number of an id or a link; what an item says is neither. */
function numberIn(identity: string): bigint | undefined {
  const digits = identity.startsWith("text ") ? undefined : /(\d+)\D*$/.exec(identity.slice(-endCharacters))?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}
