/** Time as the client needs it. Milliseconds. */
export interface Clock {
  /** Since the epoch. */
  now(): number;
  /** Calls `work` once after `delayMs`; the returned function prevents it. */
  after(delayMs: number, work: () => void): () => void;
}

/** `setTimeout` waits no longer than this (2^31 - 1 ms) and, asked for more, does not wait at all. */
const longestTimerMs = 2 ** 31 - 1;

/** A clock whose timers hand what they throw to `onError`, where that throws again what it does not know. */
export function guardedClock(clock: Clock, onError: (error: unknown) => void): Clock {
  const guarded = (work: () => void) => () => {
    try {
      work();
    } catch (error) {
      onError(error);
    }
  };
  return { now: () => clock.now(), after: (delayMs, work) => clock.after(delayMs, guarded(work)) };
}

/** Resolves after so long, or as soon as the signal says that nobody waits any more. */
export async function pauseFor(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const cancel = clock.after(delayMs, end);
  signal.addEventListener("abort", end, { once: true });
  await promise;
  cancel();
  signal.removeEventListener("abort", end);
}

export const systemClock: Clock = {
  now: Date.now,
  after(delayMs, work) {
    let timer: NodeJS.Timeout;
    const wait = (leftMs: number) => {
      const nextMs = Math.min(leftMs, longestTimerMs);
      timer = setTimeout(() => (leftMs > nextMs ? wait(leftMs - nextMs) : work()), nextMs);
    };
    wait(Number.isNaN(delayMs) ? 0 : delayMs);
    return () => clearTimeout(timer);
  },
};
