import type { Clock } from "../device/connection/clock.ts";
import { type ExitCode, exitCodes } from "../device/exit-codes.ts";

/** A terminal, npm and the launcher may each deliver the same Ctrl-C: two within this time are one. */
const sameSignalMs = 1_000;

/** The part of `process` this needs. */
export interface SignalHost {
  on(event: "SIGINT" | "SIGTERM" | "SIGHUP" | "disconnect", listener: () => void): unknown;
  exit(code: number): unknown;
  /** To the launcher, when it runs on another Node. */
  readonly channel?: { unref(): void } | undefined;
}

/** Calls `listener` when what had begun this process, and was to pass signals on to it, is no more. */
export type WhenLeft = (listener: () => void) => void;

/**
 * The first interruption asks the work to stop cleanly; a later, second one ends the process at once. The end of the
 * launcher counts as an interruption, and so does `whenLeft`, unless there was one before it.
 */
export function interruption(host: SignalHost, now: () => number, whenLeft?: WhenLeft): AbortSignal {
  const controller = new AbortController();
  let firstAtMs: number | undefined;

  const interrupt = () => {
    if (firstAtMs === undefined) {
      firstAtMs = now();
      controller.abort();
    } else if (now() - firstAtMs > sameSignalMs) host.exit(exitCodes.interrupted);
  };

  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) host.on(signal, interrupt);
  if (host.channel) {
    host.on("disconnect", interrupt);
    // Listening must not keep the process alive.
    host.channel.unref();
  }
  whenLeft?.(() => {
    if (firstAtMs === undefined) interrupt();
  });
  return controller.signal;
}

/** So long nobody wonders whether they were heard. */
const unheardMs = 2_000;

/**
 * Says of an interruption that was heard what is waited for, where that takes its time: a language model that hangs is given up when
 * its time is over, and not before.
 *
 * @returns to be called when the work has ended
 */
export function sayWhenStoppingIsSlow(
  interrupted: AbortSignal,
  clock: Pick<Clock, "after">,
  say: (sentence: string) => void,
): () => void {
  const ended = new AbortController();
  const begin = () => {
    const sentence =
      "Stopping, as soon as what is under way has ended. To end at once, interrupt again: what is stored stands.";
    ended.signal.addEventListener(
      "abort",
      clock.after(unheardMs, () => say(sentence)),
      { once: true },
    );
  };
  interrupted.addEventListener("abort", begin, { once: true, signal: ended.signal });
  return () => ended.abort();
}

/** A reader that is only slow takes the rest in this time. */
const unreadMs = 1_000;

/**
 * For when the work is done: what nobody reads of the output keeps a process alive, through an interruption too. Who interrupts it
 * waits for that no longer.
 *
 * @param code of the work, which an interruption may have ended well
 */
export function endUnreadWhen(interrupted: AbortSignal, host: Pick<SignalHost, "exit">, code: ExitCode): void {
  // Where all is read the process ends by itself, at once.
  const endWith = (ended: ExitCode) => void setTimeout(() => host.exit(ended), unreadMs).unref();
  if (interrupted.aborted) endWith(code);
  else interrupted.addEventListener("abort", () => endWith(exitCodes.interrupted), { once: true });
}
