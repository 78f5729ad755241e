import type { Gap } from "../connector.ts";
import { saidAtMs } from "./document/dates.ts";
import type { FeedItem } from "./document/feed.ts";

/** Some feeds are replaced as a whole, as journals are each morning: with looks minutes apart that is no gap. */
const leastGapMs = 3_600_000;

/**
 * The time between two looks at a feed of which no item stayed, so that others may have come and gone meanwhile: up to the oldest that is
 * there now, as far as dates tell.
 *
 * @param lookedAtMs when it was last seen as it was
 */
export function gapBetween(lookedAtMs: number, items: readonly FeedItem[], nowMs: number): Gap | undefined {
  const oldestMs = items.reduce((oldest, { date }) => Math.min(oldest, saidAtMs(date) ?? oldest), nowMs);
  return oldestMs - lookedAtMs < leastGapMs ? undefined : { fromMs: lookedAtMs, toMs: oldestMs, missed: true };
}
