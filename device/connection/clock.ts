/** Time as the client needs it. Milliseconds. */
export interface Clock {
  /** Since the epoch. */
  now(): number;
  /** Calls `work` once after `delayMs`; the returned function prevents it. */
  after(delayMs: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  now: Date.now,
  after(delayMs, work) {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};
