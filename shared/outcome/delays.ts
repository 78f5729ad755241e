/** How long work waits before it is tried again, in milliseconds: the one table of it, for every worker. */
export const delays = {
  /** When whoever is rate limiting does not say how long. */
  rateLimited: 30_000,
  /** What the operator has to mend is left alone: soon after it is mended everything goes on. */
  operator: 5 * 60_000,
  /** Items of a scout that is switched off are looked at once a day until their owner has mended it. */
  switchedOff: 86_400_000,
  /** Items of a part of a source that is not there are looked for again until their owner has mended it. */
  partBack: 3_600_000,
  /** A sign-in that was refused, as servers do in passing. Some lock an account that is tried ten times. */
  signIn: 15 * 60_000,
  /** Until somebody has asked the model's probe. */
  probeUnclear: 20_000,
  /** A wait on the queue is a row as well, for the due cron to find if the queue did not bring it back by then. */
  rowBehindQueue: 10 * 60_000,
  /** What a service of our own did not even let be looked at. */
  serviceAway: 30_000,
  /** A judged item that is redriven and failed for now. */
  redriven: 60_000,
  /** A message that could not be moved to Trash for now. */
  trash: 60_000,
} as const;

/** Nobody waits less, whatever a clock or a header says. */
const shortestMs = 1_000;
/** The longest delay SQS gives a message (quota "message timer"). */
export const longestQueueDelayMs = 900_000;

/** A wait as the delay of a queued message, in whole seconds from 1 to 900. */
export function queueDelaySeconds(waitMs: number): number {
  return Math.ceil(Math.min(Math.max(waitMs, shortestMs), longestQueueDelayMs) / 1000);
}

/** `firstMs`, twice that, four times that, … at most `longestMs`. @param failures so far, from 0 */
export function exponentialDelayMs(failures: number, firstMs: number, longestMs: number = longestQueueDelayMs): number {
  return Math.min(firstMs * 2 ** failures, longestMs);
}
