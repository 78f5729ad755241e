import { setTimeout as sleep } from "node:timers/promises";
import { takeFileLock } from "../../store/held-locks.ts";
import type { WriteLease } from "../changes/write-lease.ts";
import { AccessError } from "../errors.ts";

const maxWaitMs = 10_000;
const pollMs = 20;

export interface FileLeaseOptions {
  readonly maxWaitMs?: number;
}

/**
 * The right to change a project, as a lock of the kernel's: one process has it at a time, and it is free again when that
 * process ends, however it does. A process id cannot say who lives: ids are used again, in a container at once. One that lives
 * and is stuck keeps it, since nobody knows what it will still write; others are told that the project is busy.
 *
 * @param path of a file that is for this alone
 */
export function fileLease(path: string, options: FileLeaseOptions = {}): WriteLease {
  const waitMs = options.maxWaitMs ?? maxWaitMs;
  return {
    async run(action) {
      const giveUpAt = performance.now() + waitMs;
      let release = takeFileLock(path);
      while (release === undefined) {
        if (performance.now() > giveUpAt) throw new AccessError("busy");
        await sleep(pollMs);
        release = takeFileLock(path);
      }
      try {
        return await action();
      } finally {
        release();
      }
    },
  };
}
