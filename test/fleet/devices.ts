import type { SeededRandom } from "../simulation/random.ts";
import { type Day, secondsADay } from "./day.ts";
import type { Values } from "./figures.ts";
import { poisson } from "./poisson.ts";

/** What people's devices ask for in a second. */
export class Devices {
  readonly #values: Values;
  readonly #day: Day;
  readonly #random: SeededRandom;

  constructor(values: Values, day: Day, random: SeededRandom) {
    this.#values = values;
    this.#day = day;
    this.#random = random;
  }

  /** The share of all devices that are there. */
  share(second: number): number {
    return this.#day.devices[((second % secondsADay) + secondsADay) % secondsADay] ?? 0;
  }

  /** Every eight minutes each that is there asks for what it may have missed. */
  pulls(second: number, people: number): number {
    return poisson(this.#random, (people * this.#values.devices * this.share(second)) / this.#values.pullEverySeconds);
  }

  /** Those that come, and those whose connection has reached its age. */
  connections(second: number, people: number): number {
    const coming = Math.max(0, this.share(second) - this.share(second - 1));
    const anew = this.share(second) / this.#values.connectionSeconds;
    return poisson(this.#random, people * this.#values.devices * (coming + anew));
  }
}
