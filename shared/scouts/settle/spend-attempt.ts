import type { ErrorCode } from "../../../events/error-kinds.ts";
import { billedUsage } from "../../llm/billed-usage.ts";
import { delays } from "../../outcome/delays.ts";
import { nextTry, retryPolicies } from "../../outcome/next-try.ts";
import { done, isOwnService } from "../../outcome/outcome.ts";
import type { Triaged, TriagePorts } from "../triage/triage.ts";
import type { Attempt } from "./attempt.ts";
import { giveUp } from "./give-up.ts";

/**
 * After 2, 4, 8, 16 seconds, then no more; a source, and what everything here stands on, is given twenty minutes in all. What was not
 * billed has no tokens set aside meanwhile: behind a long backlog the next try may be an hour away, and one row names all that is set
 * aside for a person, of which DynamoDB takes 400 KB, some 2,000 items.
 */
export async function spendAttempt(
  ports: TriagePorts,
  tried: Attempt,
  code: ErrorCode,
  error: unknown,
): Promise<Triaged> {
  const { id, sourceType, reservation } = tried;
  const { row, seen } = await ports.items.counts(id);
  const isAway = code.startsWith("source_") || isOwnService(code);
  const policy = isAway ? retryPolicies.itemsAway : retryPolicies.items;
  const nowMs = ports.clock();
  const next = nextTry(policy, { faults: seen.attempts, waits: 0 }, { kind: "retry", code }, nowMs);
  if (!next) return giveUp(ports, { ...tried, row }, code, error);
  const { delayMs } = next;
  const dueAtMs = nowMs + delayMs + delays.rowBehindQueue;
  const why = { status: "failed", sourceType, code, dueAtMs, nowMs, attempts: 1 } as const;
  const tokens = billedUsage(error);
  await ports.items.postpone(id, { ...why, seen, reservation }, tokens);
  // A reservation that something was billed under ends by its item's result alone: another delivery may have joined it, and is not counted then.
  const released = tokens.inputTokens + tokens.outputTokens === 0;
  return { outcome: done, againInMs: delayMs, released };
}
