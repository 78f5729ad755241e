import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";
import type { WriteLease } from "../changes/write-lease.ts";
import { AccessError } from "../errors.ts";

/** A change takes milliseconds; a holder that is alive but silent for this long is stuck. */
const leaseMs = 60_000;
const maxWaitMs = 10_000;
const pollMs = 20;

export interface SqliteLeaseOptions {
  readonly now?: () => number;
  readonly pid?: number;
  /** Whether a process runs on this machine. */
  readonly isAlive?: (pid: number) => boolean;
  readonly maxWaitMs?: number;
}

/** Signal 0 asks without sending (kill(2)); EPERM means somebody else's process, alive. */
export function processIsAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * The right to change a project, as a row that one process has at a time. The row of a process that died, or of one that
 * has overstayed, is taken over.
 *
 *     A: INSERT … ON CONFLICT DO UPDATE WHERE the holder is dead or late ──▶ changed = 1: A has it
 *     B: the same, meanwhile                                             ──▶ changed = 0: B waits and asks again
 */
export function sqliteLease(connection: DatabaseSync, options: SqliteLeaseOptions = {}): WriteLease {
  const { now = Date.now, pid = process.pid, isAlive = processIsAlive } = options;
  const waitMs = options.maxWaitMs ?? maxWaitMs;
  const read = connection.prepare("SELECT holder, pid, until FROM write_lease WHERE only_row = 1");
  const take = connection.prepare(
    `INSERT INTO write_lease (only_row, holder, pid, until) VALUES (1, ?, ?, ?)
     ON CONFLICT (only_row) DO UPDATE SET holder = excluded.holder, pid = excluded.pid, until = excluded.until
     WHERE write_lease.holder = ?`,
  );
  const free = connection.prepare("DELETE FROM write_lease WHERE holder = ?");

  const tryTake = (holder: string): boolean => {
    const row = storeCall(() => read.get());
    const held = row === undefined ? "" : String(row["holder"]);
    const isTaken = row !== undefined && Number(row["until"]) > now() && isAlive(Number(row["pid"]));
    if (isTaken) return false;
    // Only from the holder that was looked at: somebody else may have taken it over in between.
    return storeCall(() => take.run(holder, pid, now() + leaseMs, held)).changes === 1;
  };

  return {
    async run(action) {
      const holder = randomUUID();
      const giveUpAt = performance.now() + waitMs;
      while (!tryTake(holder)) {
        if (performance.now() > giveUpAt) throw new AccessError("busy");
        await sleep(pollMs);
      }
      try {
        return await action();
      } finally {
        storeCall(() => free.run(holder));
      }
    },
  };
}
