/**
 * When an item was published, in milliseconds: RFC 822 (RSS) or RFC 3339 (Atom, JSON Feed), as far as it makes sense.
 * No date and dates to come are "now".
 */
export function publishedAtMs(date: string, nowMs: number): number {
  const atMs = Date.parse(date.trim());
  return atMs > 0 && atMs <= nowMs ? atMs : nowMs;
}
