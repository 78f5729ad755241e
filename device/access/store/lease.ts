import { waitForFileLock } from "../../store/held-locks.ts";
import type { WriteLease } from "../changes/write-lease.ts";
import { AccessError } from "../errors.ts";

const maxWaitMs = 10_000;

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
      const release = await waitForFileLock(path, waitMs);
      if (release === undefined) throw new AccessError("busy");
      try {
        return await action();
      } finally {
        release();
      }
    },
  };
}
