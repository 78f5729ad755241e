import type { Clock } from "./connection/clock.ts";
import { asError } from "./errors.ts";

/** Something that is looked at again and again while a program stays. */
export interface RepeatedLook {
  /** Looks now, and from now on. */
  start(): void;
  /** Resolves when nothing is being looked at. */
  whenIdle(): Promise<void>;
  /** Begins nothing more, and waits for what has begun. */
  close(): Promise<void>;
}

export interface RepeatedLookOptions {
  readonly clock: Clock;
  readonly everyMs: number;
  readonly look: () => Promise<void>;
  /** What a look failed with; the next one tries again. */
  readonly onProblem: (error: Error) => void;
}

/** A look that takes longer than `everyMs` is not begun a second time beside itself. */
export function repeatedLook({ clock, everyMs, look, onProblem }: RepeatedLookOptions): RepeatedLook {
  let cancel = () => {};
  let running: Promise<void> | undefined;
  const lookOnce = async () => {
    try {
      await look();
    } catch (thrown) {
      onProblem(asError(thrown));
    } finally {
      running = undefined;
    }
  };
  const start = () => {
    cancel = clock.after(everyMs, start);
    running ??= lookOnce();
  };
  const whenIdle = async () => void (await running);
  return {
    start,
    whenIdle,
    async close() {
      cancel();
      await whenIdle();
    },
  };
}
