import { closeSync, openSync, rmSync, statSync } from "node:fs";
import { setTimeout } from "node:timers/promises";

/** A process that holds the lock longer has died. */
export const staleLockMs = 30_000;
const lockPauseMs = 50;

/**
 * Waits until `file` can be made, which only one process of several can. Its age is told by the clock that dates files,
 * which is the system's, whatever clock the program was given.
 *
 * @returns what removes it again
 */
export async function lockFile(file: string): Promise<() => void> {
  for (;;) {
    try {
      closeSync(openSync(file, "wx", 0o600));
      return () => rmSync(file, { force: true });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
    const since = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    // A date in the future was written by a clock that has stepped back since.
    if (Math.abs(Date.now() - since) > staleLockMs) rmSync(file, { force: true });
    else await setTimeout(lockPauseMs);
  }
}
