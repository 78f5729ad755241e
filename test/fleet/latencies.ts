/** Buckets a doubling: a percentile is known to within 4.4 %. */
const aDoubling = 16;
const leastSeconds = 0.01;

/** How long so many took, kept as a histogram of logarithms: a day has a thousand million of them. */
export class Latencies {
  readonly #buckets: number[] = [];
  #count = 0;
  #longest = 0;

  get count(): number {
    return this.#count;
  }

  get longest(): number {
    return this.#longest;
  }

  add(seconds: number, count = 1): void {
    const bucket = Math.max(0, Math.round(Math.log2(Math.max(seconds, leastSeconds) / leastSeconds) * aDoubling));
    this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + count;
    this.#count += count;
    this.#longest = Math.max(this.#longest, seconds);
  }

  merge(other: Latencies): void {
    for (const [bucket, count] of other.#buckets.entries()) {
      if (count) this.#buckets[bucket] = (this.#buckets[bucket] ?? 0) + count;
    }
    this.#count += other.#count;
    this.#longest = Math.max(this.#longest, other.#longest);
  }

  /** Seconds within which `p` per cent were done; NaN of nothing. */
  percentile(p: number): number {
    const rank = (p / 100) * this.#count;
    let below = 0;
    for (const [bucket, count] of this.#buckets.entries()) {
      below += count ?? 0;
      if (below >= rank && below > 0) return leastSeconds * 2 ** (bucket / aDoubling);
    }
    return Number.NaN;
  }
}
