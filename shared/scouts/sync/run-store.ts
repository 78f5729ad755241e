import { encodeTime } from "ulidx";
import type { ScoutId, UserId } from "../../../events/ids.ts";
import type { OpenBreaker } from "../../breaker/breaker-row.ts";
import type { NewId } from "../../ports/clock.ts";
import type { Table } from "../../ports/table.ts";
import { writeRun } from "../../run-history.ts";

export interface SyncRun {
  readonly userId: UserId;
  readonly scoutId: ScoutId;
  readonly outcome: "complete" | "continued" | "overtaken";
  readonly queued: number;
  readonly pages: number;
  readonly durationMs: number;
}

/** Writes what ran, for the person's history. A run that found nothing leaves no row. */
export async function recordSyncRun(
  { ledger, newId }: { readonly ledger: Table; readonly newId: NewId },
  run: SyncRun,
  nowMs: number,
): Promise<void> {
  if (run.queued === 0 && run.outcome === "complete") return;
  const { userId, ...facts } = run;
  await writeRun(ledger, userId, newId(), { ...facts, kind: "sync" }, nowMs);
}

/**
 * Writes that a scout's runs have listed nothing since the model cannot be asked, and why. One row for the whole wait,
 * however often the scout is looked at: its ULID is the wait's beginning and the scout.
 */
export async function recordHeldRun(
  ledger: Table,
  { userId, scoutId }: { readonly userId: UserId; readonly scoutId: ScoutId },
  { code, sinceMs }: OpenBreaker,
  nowMs: number,
): Promise<void> {
  const run = `${encodeTime(sinceMs, 10)}${scoutId.slice(-16)}`;
  const facts = { scoutId, code, queued: 0, pages: 0, durationMs: nowMs - sinceMs };
  await writeRun(ledger, userId, run, { ...facts, kind: "sync", outcome: "held" }, nowMs, { absent: ["pk"] });
}
