import { ledgerKey } from "../keys.ts";
import type { Table } from "../ports/table.ts";
import type { RunRow } from "./run-row.ts";

const lifeSeconds = 30 * 86_400;

/** Writes down what ran, for the person's history: the same row however often it is written. */
export async function recordRun(ledger: Table, row: RunRow, nowMs: number): Promise<void> {
  const { userId, runId, agent, status, code, prompt, inputTokens, outputTokens, toolCalls, workMs, step } = row;
  const facts = { kind: "agent", agent, outcome: status, inputTokens, outputTokens, toolCalls, steps: step };
  const times = { durationMs: nowMs - row.startedAt, workMs, at: nowMs, ttl: Math.floor(nowMs / 1000) + lifeSeconds };
  const known = { ...(code ? { code } : {}), ...(prompt ? { prompt } : {}) };
  const key = ledgerKey.run(userId, runId.slice("run_".length));
  await ledger.put({ ...key, ...facts, ...known, ...times }, { absent: ["pk"] });
}
