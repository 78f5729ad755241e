import type { Clock } from "../../device/connection/clock.ts";

/** A clock that a test turns by hand. */
export class ManualClock implements Clock {
  #nowMs: number;
  #timers: { atMs: number; work: () => void }[] = [];

  constructor(nowMs = 1_700_000_000_000) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  after(delayMs: number, work: () => void): () => void {
    const timer = { atMs: this.#nowMs + delayMs, work };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  /** Moves time on and runs what falls due on the way, in order. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (;;) {
      const due = this.#timers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.work();
    }
    this.#nowMs = untilMs;
  }

  /** Somebody sets the clock back: what waits goes on waiting as long as it would have. */
  setBack(byMs: number): void {
    this.#nowMs -= byMs;
    for (const timer of this.#timers) timer.atMs -= byMs;
  }

  /** The machine sleeps for so long: what fell due meanwhile runs once, when it wakes. */
  sleep(forMs: number): void {
    this.#nowMs += forMs;
    const due = this.#timers.filter(({ atMs }) => atMs <= this.#nowMs).sort((a, b) => a.atMs - b.atMs);
    this.#timers = this.#timers.filter((each) => !due.includes(each));
    for (const { work } of due) work();
  }
}
