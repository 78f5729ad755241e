export interface BackoffOptions {
  /** Upper bound of the first wait. */
  readonly baseMs: number;
  /** Upper bound of every wait. */
  readonly capMs: number;
}

/** Between connections. */
export const reconnectBackoff: BackoffOptions = { baseMs: 1_000, capMs: 60_000 };
/** Between tries of one frame. */
export const resendBackoff: BackoffOptions = { baseMs: 2_000, capMs: 120_000 };

/**
 * Wait before the next try, by "full jitter": uniform between nothing and the exponential bound, which spreads a storm
 * of clients best (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 *
 * @param failures how many tries in a row have failed, from 1
 * @param random uniform in [0, 1)
 */
export function fullJitterMs(failures: number, random: () => number, { baseMs, capMs }: BackoffOptions): number {
  return Math.floor(random() * Math.min(capMs, baseMs * 2 ** Math.max(0, failures - 1)));
}
