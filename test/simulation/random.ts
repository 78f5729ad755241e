/** A seeded generator (mulberry32): every choice of a simulation comes from one of these, so a seed is a whole run. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
    // Neighbouring seeds begin alike; a few steps drive them apart.
    for (let step = 0; step < 8; step += 1) this.next();
  }

  /** Uniform in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Both ends included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(from: readonly T[]): T {
    const chosen = from[this.int(0, from.length - 1)];
    if (chosen === undefined) throw new RangeError("Nothing to pick from");
    return chosen;
  }

  /** A new list in random order. */
  shuffled<T>(list: readonly T[]): T[] {
    const copy = [...list];
    for (let last = copy.length - 1; last > 0; last -= 1) {
      const other = this.int(0, last);
      const [a, b] = [copy[last], copy[other]];
      if (a !== undefined && b !== undefined) [copy[last], copy[other]] = [b, a];
    }
    return copy;
  }
}
