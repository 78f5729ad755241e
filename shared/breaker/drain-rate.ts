import type { BreakerRow } from "./breaker-row.ts";

/** Items queued again in the first minute after the breaker has closed; twice as many in each one after. */
const firstMinute = 100;
/** The most a tick queues again, whatever waits: no minute of a home is to be all of a month's. */
const most = 2_000;
const tickMs = 60_000;
/** Spread over so much of the minute until the next tick. */
const spreadSeconds = 50;

/**
 * How many items a tick may queue again. A model that has just come back is met with few, and with more each minute while
 * it keeps up; one that does not keep up opens the breaker again, and it begins anew.
 */
export function requeuesAllowed({ closedAt }: Pick<BreakerRow, "closedAt">, nowMs: number): number {
  // A clock that was set back would have it be the first minute until then.
  if (closedAt === undefined || closedAt - nowMs > tickMs) return most;
  const minutes = Math.max(0, Math.floor((nowMs - closedAt) / tickMs));
  return Math.min(most, firstMinute * 2 ** minutes);
}

/** How long the nth item of a tick waits in the queue, so that a tick's items come one after another. */
export function requeueDelaySeconds(nth: number, allowed: number): number {
  return Math.floor((nth * spreadSeconds) / allowed);
}
