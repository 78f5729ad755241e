import type { ErrorCode } from "../../../events/errors.ts";
import { billedUsage } from "../../llm/billed-usage.ts";
import { done } from "../../outcome.ts";
import type { Triaged, TriagePorts } from "../triage/triage.ts";
import { giveUp } from "./give-up.ts";
import type { Tried } from "./tried.ts";
import { netMs } from "./wait.ts";

/** After so many faults of its own an item is tried no more: see give-up.ts. */
export const maxAttempts = 5;

/** A source that is away for a quarter of an hour loses nothing by it. */
const sourceDelaysMs = [2_000, 60_000, 5 * 60_000, 15 * 60_000];

/**
 * After 2, 4, 8, 16 seconds, then no more; a source is given twenty minutes in all. Tokens stay set aside for what is back in
 * a moment.
 */
export async function spendAttempt(
  ports: TriagePorts,
  tried: Tried,
  code: ErrorCode,
  error: unknown,
): Promise<Triaged> {
  const { id, sourceType, reservation } = tried;
  const [row] = await ports.items.getMany([id]);
  const seenAttempts = row?.attempts ?? 0;
  if (seenAttempts + 1 >= maxAttempts) return giveUp(ports, { ...tried, row }, code, error);
  const nowMs = ports.clock();
  const isOfSource = code.startsWith("source_");
  const delayMs = (isOfSource ? sourceDelaysMs[seenAttempts] : undefined) ?? 1000 * 2 ** (seenAttempts + 1);
  const dueAtMs = nowMs + delayMs + netMs;
  const why = { status: "failed", sourceType, code, dueAtMs, nowMs, attempts: 1 } as const;
  await ports.items.postpone(id, { ...why, seenAttempts, reservation }, billedUsage(error));
  return isOfSource ? { outcome: done, againInMs: delayMs, released: true } : { outcome: done, againInMs: delayMs };
}
