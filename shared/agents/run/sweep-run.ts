import type { Key, Table } from "../../ports/table.ts";
import { isAhead } from "../../until.ts";
import { endWithoutNotice } from "./run-history.ts";
import { parseRunRow } from "./run-row.ts";
import { RunStore, runLifeMs } from "./run-store.ts";

/**
 * A run whose row is about to go: one that has not ended is over now, its device is gone or its last message among the
 * dead letters.
 */
export async function endAbandonedRun(sessions: Table, ledger: Table, key: Key, nowMs: number): Promise<void> {
  const item = await sessions.get(key);
  const row = item && parseRunRow(item);
  if (!row || isAhead(row.expiresAt, nowMs, runLifeMs)) return;
  await endWithoutNotice({ runs: new RunStore(sessions), ledger }, row, undefined, nowMs);
}
