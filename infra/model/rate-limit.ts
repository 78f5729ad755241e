/** A fixed number of requests in each minute, counted from the first of them. */
export class RateLimit {
  readonly #requestsPerMinute: number;
  readonly #clock: () => number;
  #windowStartMs = Number.NEGATIVE_INFINITY;
  #used = 0;

  /** @param clock milliseconds since 1970 */
  constructor(requestsPerMinute: number, clock: () => number) {
    this.#requestsPerMinute = requestsPerMinute;
    this.#clock = clock;
  }

  /** 0 when the request may pass, else the seconds until one may. */
  take(): number {
    const nowMs = this.#clock();
    if (nowMs - this.#windowStartMs >= 60_000) {
      this.#windowStartMs = nowMs;
      this.#used = 0;
    }
    if (this.#used < this.#requestsPerMinute) {
      this.#used += 1;
      return 0;
    }
    return Math.max(1, Math.ceil((this.#windowStartMs + 60_000 - nowMs) / 1000));
  }
}
