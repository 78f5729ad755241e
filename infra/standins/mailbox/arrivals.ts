export interface Arrivals {
  /** Begin, or look again because more is waiting. */
  pump(): void;
  /** Resolves when nothing waits any more. */
  whenAllArrived(): Promise<void>;
  close(): void;
}

const chunkMessages = 100;

/**
 * Lets waiting messages arrive in chunks, giving way to other work in between. `open` says whether anybody watches yet.
 */
export function createArrivals(
  open: () => boolean,
  arrive: (limit: number) => number,
  waitingCount: () => number,
): Arrivals {
  const waiters = new Set<() => void>();
  let next: NodeJS.Immediate | undefined;
  let closed = false;

  function step(): void {
    next = undefined;
    if (closed || !open()) return;
    if (arrive(chunkMessages) === chunkMessages) {
      next = setImmediate(step);
      return;
    }
    for (const resolve of waiters) resolve();
    waiters.clear();
  }

  return {
    pump: () => {
      next ??= setImmediate(step);
    },
    whenAllArrived: () =>
      waitingCount() === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiters.add(resolve);
          }),
    close: () => {
      closed = true;
      if (next !== undefined) clearImmediate(next);
    },
  };
}
