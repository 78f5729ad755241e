import { writtenMoment } from "../../written-date.ts";

/**
 * When an item was published, in milliseconds: RFC 822 (RSS) or RFC 3339 (Atom, JSON Feed), as far as it makes sense.
 * No date and dates to come are "now".
 */
export function publishedAtMs(date: string, nowMs: number): number {
  const atMs = saidAtMs(date) ?? Number.NaN;
  return atMs > 0 && atMs <= nowMs ? atMs : nowMs;
}

/** The date as the feed says it, also one to come; `undefined` when it makes no sense. */
export const saidAtMs = (date: string): number | undefined => writtenMoment(date.trim());
