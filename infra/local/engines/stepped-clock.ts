/** Slewing, and the difference between two readings, are no step. */
const leastStepMs = 1_000;

/**
 * Tells when the machine's clock was set back, by one that is not set (`performance.now`). That one may stand still while the machine
 * sleeps, which looks like a clock that was set ahead: it makes what waits wait no longer than it was to.
 */
export class SteppedClock {
  #aheadMs = aheadMs();

  /** By how many milliseconds it was set back since this was last asked; 0 for a clock that went on. */
  setBackMs(): number {
    const nowMs = aheadMs();
    const backMs = this.#aheadMs - nowMs;
    if (backMs > 0 && backMs < leastStepMs) return 0;
    this.#aheadMs = nowMs;
    return Math.max(backMs, 0);
  }
}

/** By how much the time of day is ahead of the time since the process began. */
const aheadMs = (): number => Date.now() - performance.now();
