import { monotonicFactory } from "ulidx";
import type { ScoutId, UserId } from "../../../events/ids.ts";
import type { Table } from "../../ports/table.ts";
import { writeRun } from "../../run-history.ts";

const newUlid = monotonicFactory();

export interface SyncRun {
  readonly userId: UserId;
  readonly scoutId: ScoutId;
  readonly outcome: "complete" | "continued" | "overtaken";
  readonly queued: number;
  readonly pages: number;
  readonly durationMs: number;
}

/** Writes what ran, for the person's history. A run that found nothing leaves no row. */
export async function recordSyncRun(ledger: Table, run: SyncRun, nowMs: number): Promise<void> {
  if (run.queued === 0 && run.outcome === "complete") return;
  const { userId, ...facts } = run;
  await writeRun(ledger, userId, newUlid(nowMs), { ...facts, kind: "sync" }, nowMs);
}
