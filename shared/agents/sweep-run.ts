import type { Key, Table } from "../ports/table.ts";
import { recordRun } from "./run-history.ts";
import { parseRunRow } from "./run-row.ts";
import { RunStore } from "./run-store.ts";

/** A run that nobody has moved on until its row expired: its device is gone, or its last message is among the dead letters. */
export async function endAbandonedRun(sessions: Table, ledger: Table, key: Key, nowMs: number): Promise<void> {
  const item = await sessions.get(key);
  const row = item && parseRunRow(item);
  if (row?.status !== "running" || row.expiresAt > nowMs) return;
  const ended = await new RunStore(sessions).end(row, row.cancelled ? "cancelled" : "device_gone", undefined);
  if (ended) await recordRun(ledger, ended, nowMs);
}
