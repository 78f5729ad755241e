import { type Clock, pauseFor } from "../../connection/clock.ts";

/**
 * How many items a device reads at once as it catches up, and how many a second from then on: what the cloud allows a
 * person's devices together (`frameRate`, shared/devices/frame-limit.ts), less what else they say and room for chance.
 */
export const itemPace = { atOnce: 10_000, aSecond: 32 };

/** Keeps a device that has thousands of items to read from being cut off by its own cloud. A token bucket. */
export class ReadPace {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  readonly #pace: typeof itemPace;
  /** Below zero once more was read than was there. */
  #left: number;
  #at: number;

  /** @param signal ends every wait */
  constructor(clock: Clock, signal: AbortSignal, pace = itemPace) {
    this.#clock = clock;
    this.#signal = signal;
    this.#pace = pace;
    this.#left = pace.atOnce;
    this.#at = clock.now();
  }

  /** So many are read now. */
  spend(items: number): void {
    this.#refill();
    this.#left -= items;
  }

  /** Resolves when something may be read, or the signal says that nothing will be. */
  async wait(): Promise<void> {
    this.#refill();
    if (this.#left >= 0) return;
    await pauseFor(this.#clock, Math.ceil((-this.#left * 1_000) / this.#pace.aSecond), this.#signal);
  }

  #refill(): void {
    const now = this.#clock.now();
    // A clock that was set back has let no time pass.
    const passedMs = Math.max(0, now - this.#at);
    this.#at = now;
    this.#left = Math.min(this.#pace.atOnce, this.#left + (passedMs * this.#pace.aSecond) / 1_000);
  }
}
