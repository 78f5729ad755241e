import type { IndexId, UserId } from "../../events/ids.ts";
import { ledgerKey } from "../keys.ts";
import type { Table } from "../ports/table.ts";
import type { IndexEnd, IndexRow } from "./index-row.ts";
import type { IndexStore, IndexTotals } from "./index-store.ts";

const runLifeSeconds = 30 * 86_400;

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
  await ledger.put({
    ...ledgerKey.run(user, index.slice("idx_".length)),
    kind: "index",
    projectId: row.projectId,
    outcome,
    files: totals.processed,
    tokens: totals.tokens,
    prompts: totals.prompts,
    models: totals.models,
    durationMs: nowMs - row.startedAt,
    at: nowMs,
    ttl: Math.floor(nowMs / 1000) + runLifeSeconds,
  });
  return totals;
}
