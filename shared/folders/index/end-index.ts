import type { IndexId, UserId } from "../../../events/ids.ts";
import type { Table } from "../../ports/table.ts";
import { writeRun } from "../../run-history.ts";
import type { IndexEnd, IndexRow } from "./index-row.ts";
import type { IndexStore, IndexTotals } from "./index-store.ts";

export interface EndPorts {
  readonly index: IndexStore;
  /** The Ledger: what ran outlives the session it ran in. */
  readonly ledger: Table;
}

/**
 * Counts an index session that has ended and writes its run into the person's history. The run is called after the index
 * session, so whoever does it again writes the same row.
 */
export async function recordIndexRun(
  { index: store, ledger }: EndPorts,
  user: UserId,
  index: IndexId,
  row: IndexRow,
  outcome: IndexEnd,
  nowMs: number,
): Promise<IndexTotals> {
  const totals = await store.totals(user, index);
  const { processed: files, tokens, prompts, models } = totals;
  const counts = { projectId: row.projectId, files, tokens, prompts, models, durationMs: nowMs - row.startedAt };
  await writeRun(ledger, user, index.slice("idx_".length), { kind: "index", outcome, ...counts }, nowMs);
  return totals;
}
