import type { SeededRandom } from "../simulation/random.ts";
import type { Values } from "./figures.ts";
import { normal } from "./poisson.ts";

const kept = 4_096;
/** How many of a cohort are drawn one by one. */
const sampled = 3;

/** How long a mail takes where it waits for nothing: webhook, sync and triage, each around its usual time. */
export class ServiceTimes {
  readonly #seconds: Float64Array;

  constructor(values: Values, random: SeededRandom) {
    const around = (usual: number) => usual * Math.exp(values.spread * normal(random));
    const one = () => around(values.webhookSeconds) + around(values.syncSeconds) + around(values.triageSeconds);
    this.#seconds = new Float64Array(kept).map(one);
  }

  /** A few drawn times for a cohort, and how many of it each stands for. */
  drawn(random: SeededRandom, count: number): (readonly [count: number, seconds: number])[] {
    const draws = Math.min(sampled, count);
    return Array.from({ length: draws }, (_, at) => {
      const share = Math.floor(count / draws) + (at < count % draws ? 1 : 0);
      return [share, this.#seconds[random.int(0, kept - 1)] ?? 0];
    });
  }
}
