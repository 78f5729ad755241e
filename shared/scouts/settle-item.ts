import { type ErrorCode, isScoutsError } from "../../events/errors.ts";
import { done, type Outcome, outcomeOf } from "../outcome.ts";
import type { ItemId } from "./item-store.ts";
import type { TriagePorts } from "./triage.ts";

/** After so many faults an item is set aside as dead, with the code of its last fault. */
export const maxAttempts = 5;
/** The longest delay SQS gives a message; who has to wait longer waits as a row. */
const maxDelayMs = 900_000;
/** A row that is also on the queue is looked at by the due cron only if the queue did not bring it back by then. */
const netMs = 10 * 60_000;
/** A switched-off scout's items are looked at once a day until their owner has mended it. */
const disabledRetryMs = 86_400_000;

/**
 * Turns what stopped an item into its next state. Whatever is written here survives; only when the writing itself fails
 * is the queue asked to deliver the message again.
 */
export async function settleItem(ports: TriagePorts, id: ItemId, sourceType: string, error: unknown): Promise<Outcome> {
  const nowMs = ports.clock();
  const outcome = outcomeOf(error, nowMs);
  ports.log.error("triage_failed", error, { scoutId: id.scoutId, ref: id.ref, outcome: outcome.kind });
  const tokens = tokensIn(error);
  switch (outcome.kind) {
    case "done":
      return done;
    case "drop":
      await ports.items.end(id, { status: "gone", sourceType, code: outcome.code }, nowMs, tokens);
      return outcome;
    case "deadLetter":
      await ports.items.end(id, { status: "dead", sourceType, code: outcome.code }, nowMs, tokens);
      return outcome;
    case "disable":
      await ports.scouts.disable(id.userId, id.scoutId, outcome.code);
      await postpone(ports, id, "deferred", { sourceType, code: outcome.code, dueAtMs: nowMs + disabledRetryMs });
      return outcome;
    case "defer":
      await wait(ports, id, sourceType, outcome, nowMs);
      return outcome;
    case "retry":
      await tryAgain(ports, id, sourceType, outcome.code, nowMs);
      return done;
  }
}

/** Marks an item that comes from the queue again: if this try kills the worker as well, the row already says so. */
export async function markInterrupted(ports: TriagePorts, id: ItemId, sourceType: string): Promise<void> {
  const dueAtMs = ports.clock() + netMs;
  await ports.items.postpone(id, { status: "failed", sourceType, code: "interrupted", dueAtMs, attempts: 1 });
}

async function wait(
  ports: TriagePorts,
  id: ItemId,
  sourceType: string,
  outcome: { untilMs: number; code: ErrorCode },
  nowMs: number,
): Promise<void> {
  const delayMs = Math.max(outcome.untilMs - nowMs, 1000);
  if (delayMs <= maxDelayMs) return sendAgain(ports, id, delayMs);
  return postpone(ports, id, "deferred", { sourceType, code: outcome.code, dueAtMs: outcome.untilMs });
}

/** 2, 4, 8, 16 seconds, then dead. */
async function tryAgain(
  ports: TriagePorts,
  id: ItemId,
  sourceType: string,
  code: ErrorCode,
  nowMs: number,
): Promise<void> {
  const [row] = await ports.items.getMany([id]);
  const attempts = (row?.attempts ?? 0) + 1;
  if (attempts >= maxAttempts) {
    await ports.items.end(id, { status: "dead", sourceType, code }, nowMs);
    return;
  }
  await ports.items.postpone(id, { status: "failed", sourceType, code, dueAtMs: nowMs + netMs, attempts: 1 });
  await sendAgain(ports, id, 1000 * 2 ** attempts);
}

async function postpone(
  ports: TriagePorts,
  id: ItemId,
  status: "failed" | "deferred",
  why: { sourceType: string; code: ErrorCode; dueAtMs: number },
): Promise<void> {
  await ports.items.postpone(id, { status, attempts: 0, ...why });
}

async function sendAgain(ports: TriagePorts, id: ItemId, delayMs: number): Promise<void> {
  const body = { v: 1 as const, ...id };
  await ports.triage.send([{ body, group: id.userId, delaySeconds: Math.ceil(delayMs / 1000) }]);
}

/** A useless answer is billed as well; the model's adapter says how much. */
function tokensIn(error: unknown): { inputTokens: number; outputTokens: number } {
  const count = (name: string) => {
    const value = isScoutsError(error) ? error.data[name] : undefined;
    return typeof value === "number" ? value : 0;
  };
  return { inputTokens: count("inputTokens"), outputTokens: count("outputTokens") };
}
