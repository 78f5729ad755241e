/** Frames of one connection that are handled side by side, at most. */
export const sideBySide = 16;

/** What an intake does to the connection it reads from. */
interface Tap {
  pause(): void;
  resume(): void;
}

/**
 * Lets the frames of one connection through in their order, a few at a time, and stops reading while some of them wait:
 * a client that sends faster than it is served is slowed by TCP, and takes neither memory nor the turns of others.
 * (On AWS the stage's throttling does that; here the functions are two executions on two cores.)
 */
export class Intake<Frame> {
  readonly #handle: (frame: Frame) => Promise<void>;
  readonly #tap: Tap;
  readonly #waiting: { frame: Frame }[] = [];
  #running = 0;
  #paused = false;

  constructor(handle: (frame: Frame) => Promise<void>, tap: Tap) {
    this.#handle = handle;
    this.#tap = tap;
  }

  take(frame: Frame): void {
    this.#waiting.push({ frame });
    this.#fill();
  }

  #fill(): void {
    while (this.#running < sideBySide) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#running += 1;
      void this.#handle(next.frame).finally(() => {
        this.#running -= 1;
        this.#fill();
      });
    }
    const crowded = this.#waiting.length > 0;
    if (crowded === this.#paused) return;
    this.#paused = crowded;
    if (crowded) this.#tap.pause();
    else this.#tap.resume();
  }
}
