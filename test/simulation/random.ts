import { seededRandom } from "../../infra/standins/seeded-random.ts";

/** A seeded generator: every choice of a simulation comes from one of these, so a seed is a whole run. */
export class SeededRandom {
  /** Uniform in [0, 1). */
  readonly next: () => number;

  constructor(seed: number) {
    this.next = seededRandom(seed);
    // Neighbouring seeds begin alike; a few steps drive them apart.
    for (let step = 0; step < 8; step += 1) this.next();
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
