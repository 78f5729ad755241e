import { type After, systemAfter } from "../../../shared/ports/clock.ts";
import { againMs, ToldOnce } from "../told-once.ts";

export interface Arrivals {
  /** Begin, or look again because more is waiting. */
  pump(): void;
  /** Resolves when nothing waits any more. */
  whenAllArrived(): Promise<void>;
  close(): void;
}

const chunkMessages = 100;

/**
 * Lets waiting messages arrive in chunks, giving way to other work in between. What fails is told once and tried again, since it comes
 * from a timer: thrown, it would end the process. `open` says whether anybody watches yet.
 */
export function createArrivals(
  open: () => boolean,
  arrive: (limit: number) => number,
  waitingCount: () => number,
  after: After = systemAfter,
): Arrivals {
  const waiters = new Set<() => void>();
  let next: NodeJS.Immediate | undefined;
  let stopWaiting = () => {};
  const told = new ToldOnce("mail could not be taken in, and is tried again");
  let closed = false;

  function step(): void {
    next = undefined;
    if (closed) return;
    try {
      if (!open()) return;
      const isMore = arrive(chunkMessages) === chunkMessages;
      told.passed();
      if (isMore) {
        pump();
        return;
      }
    } catch (error) {
      failed(error);
      return;
    }
    for (const resolve of waiters) resolve();
    waiters.clear();
  }

  function failed(error: unknown): void {
    told.failed(error);
    stopWaiting();
    stopWaiting = after(againMs, pump);
  }

  function pump(): void {
    next ??= setImmediate(step);
  }

  return {
    pump,
    whenAllArrived: () =>
      waitingCount() === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            waiters.add(resolve);
          }),
    close: () => {
      closed = true;
      stopWaiting();
      if (next !== undefined) clearImmediate(next);
    },
  };
}
