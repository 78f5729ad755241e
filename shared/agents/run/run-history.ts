import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { Table } from "../../ports/table.ts";
import { writeRun } from "../../run-history.ts";
import type { RunId, RunRow } from "./run-row.ts";
import type { RunStore } from "./run-store.ts";

/**
 * Ends a run whose device is gone for good: nothing can be sealed or sent any more. One that has ended otherwise stays so,
 * and is written down in case its worker died before it did.
 */
export async function endWithoutNotice(
  { runs, ledger }: { readonly runs: RunStore; readonly ledger: Table },
  id: RunId,
  code: ErrorCode | undefined,
  nowMs: number,
): Promise<void> {
  const before = await runs.get(id);
  await runs.end(id, before?.cancelled ? "cancelled" : "device_gone", code);
  const row = await runs.get(id);
  if (row && row.status !== "running") await recordRun(ledger, row, nowMs);
}

/** Writes down what ran, for the person's history: the same row however often it is written. */
export async function recordRun(ledger: Table, row: RunRow, nowMs: number): Promise<void> {
  const { userId, runId, agent, status, code, prompt, inputTokens, outputTokens, toolCalls, workMs, step } = row;
  const counts = { inputTokens, outputTokens, toolCalls, steps: step, durationMs: nowMs - row.startedAt, workMs };
  const known = { ...(code ? { code } : {}), ...(prompt ? { prompt } : {}) };
  const facts = { kind: "agent", outcome: status, agent, ...counts, ...known } as const;
  await writeRun(ledger, userId, runId.slice("run_".length), facts, nowMs, { absent: ["pk"] });
}
