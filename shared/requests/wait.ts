/** Nobody waits longer because another server says so, and no time in a row of ours lies further ahead for that reason. */
export const longestWaitMs = 3_600_000;

/**
 * A wait that was asked for from outside (`Retry-After`, RFC 9110 §10.2.3): at least nothing, at most an hour. What is no
 * number asks for nothing.
 */
export function boundedWaitMs(askedMs: number): number {
  return Number.isNaN(askedMs) ? 0 : Math.min(Math.max(askedMs, 0), longestWaitMs);
}
