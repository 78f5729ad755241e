import type { Limit, LimitName } from "./limits.ts";

export interface Peak {
  /** The most, on average over the limit's window. For a limit of a day: the day's sum. */
  readonly value: number;
  /** The second in which the window ended. */
  readonly atSecond: number;
}

const secondsAnHour = 3_600;

/** How much of each limit is used, second by second, and when the most: in the limit's own window, and over an hour. */
export class Usage {
  readonly #windows = new Map<string, Window>();
  readonly #hours = new Map<string, Window>();

  constructor(limits: Readonly<Record<LimitName, Limit>>) {
    for (const [name, { windowSeconds }] of Object.entries(limits)) {
      this.#windows.set(name, new Window(windowSeconds));
      this.#hours.set(name, new Window(Math.max(windowSeconds, secondsAnHour)));
    }
  }

  /** Once a second for each limit. */
  note(name: LimitName, second: number, amount: number): void {
    this.#windows.get(name)?.note(second, amount);
    this.#hours.get(name)?.note(second, amount);
  }

  peak(name: LimitName): Peak {
    return this.#windows.get(name)?.peak ?? nothing;
  }

  peakHour(name: LimitName): Peak {
    return this.#hours.get(name)?.peak ?? nothing;
  }
}

const nothing: Peak = { value: 0, atSecond: 0 };

const secondsADay = 86_400;

class Window {
  readonly #amounts: Float64Array;
  readonly #divisor: number;
  #sum = 0;
  peak: Peak = { value: 0, atSecond: 0 };

  constructor(seconds: number) {
    this.#amounts = new Float64Array(seconds);
    this.#divisor = seconds === secondsADay ? 1 : seconds;
  }

  note(second: number, amount: number): void {
    const at = second % this.#amounts.length;
    this.#sum += amount - (this.#amounts[at] ?? 0);
    this.#amounts[at] = amount;
    const value = this.#sum / this.#divisor;
    if (value > this.peak.value) this.peak = { value, atSecond: second };
  }
}
