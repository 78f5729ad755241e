/** Milliseconds since the epoch. */
export type Clock = () => number;
/** Uniform in [0, 1). */
export type Random = () => number;

/** A new id each time: a ULID, 26 characters that sort by the time they were made. */
export type NewId = () => string;

export const systemClock: Clock = () => Date.now();

/** Does something once, after a while, unless what it returns is called before. */
export type After = (delayMs: number, work: () => void) => () => void;

/** By the process's own timers, which keep no process alive. */
export const systemAfter: After = (delayMs, work) => {
  const timer = setTimeout(work, delayMs).unref();
  return () => clearTimeout(timer);
};

/** How a request that was refused for now waits for its next try. */
export interface RetryPorts {
  /** Resolves after so long. The process stays alive: somebody waits for the answer. */
  readonly sleep: (delayMs: number) => Promise<void>;
  readonly random: Random;
}

export const systemRetries: RetryPorts = {
  sleep: (delayMs) =>
    new Promise((resolve) => {
      setTimeout(resolve, delayMs);
    }),
  random: Math.random,
};
