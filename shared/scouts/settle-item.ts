import { type ErrorCode, errorCodes, isScoutsError } from "../../events/errors.ts";
import { billedUsage } from "../llm/billed-usage.ts";
import { done, type Outcome, outcomeOf } from "../outcome.ts";
import { disableScout } from "./lifecycle/disable-scout.ts";
import type { ItemId } from "./items/item-store.ts";
import type { Triaged, TriagePorts } from "./triage/triage.ts";

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
 *
 * @param reservation the tokens' reservation, when the item got that far
 */
export async function settleItem(
  ports: TriagePorts,
  id: ItemId,
  sourceType: string,
  error: unknown,
  reservation?: string,
): Promise<Triaged> {
  const nowMs = ports.clock();
  const off = disabledBecause(error);
  if (off) {
    await postpone(ports, id, { sourceType, code: off, dueAtMs: nowMs + disabledRetryMs });
    return { outcome: { kind: "drop", code: "scout_disabled" }, released: true };
  }
  const outcome = outcomeOf(error, nowMs);
  const { scoutId, ref } = id;
  if (outcome.kind === "defer") ports.log.event("triage_waits", { scoutId, ref, reason: outcome.code });
  else ports.log.error("triage_failed", error, { scoutId, ref, outcome: outcome.kind });
  switch (outcome.kind) {
    case "done":
      return { outcome };
    case "drop":
      return end(ports, id, outcome, { status: "gone", sourceType, code: outcome.code, reservation }, error);
    case "deadLetter":
      return end(ports, id, outcome, { status: "dead", sourceType, code: outcome.code, reservation }, error);
    case "disable":
      await disableScout(ports, id, outcome.code);
      await postpone(ports, id, { sourceType, code: outcome.code, dueAtMs: nowMs + disabledRetryMs });
      return { outcome, released: true };
    case "defer":
      return { outcome, released: true, ...(await wait(ports, id, sourceType, outcome, error)) };
    case "retry":
      return tryAgain(ports, id, { sourceType, code: outcome.code, reservation }, error);
  }
}

/** Marks an item that comes from the queue again: if this try kills the worker as well, the row already says so. */
export async function markInterrupted(ports: TriagePorts, id: ItemId, sourceType: string): Promise<void> {
  const dueAtMs = ports.clock() + netMs;
  await ports.items.postpone(id, { status: "failed", sourceType, code: "interrupted", dueAtMs, attempts: 1 });
}

/**
 * Short waits are queued again with a delay, long ones are a row the due cron comes back to. An operator who raises the
 * tier releases such rows, and may do so before this one is there; so the tier is looked at once more after it is written:
 *
 *   operator  raises ─ releases what waits
 *   worker       refused under the old tier ─ writes: waits ─ reads the tier: another ─ releases
 */
async function wait(
  ports: TriagePorts,
  id: ItemId,
  sourceType: string,
  outcome: { untilMs: number; code: ErrorCode },
  error: unknown,
): Promise<{ againInMs?: number }> {
  const nowMs = ports.clock();
  const delayMs = Math.max(outcome.untilMs - nowMs, 1000);
  if (delayMs <= maxDelayMs) return { againInMs: delayMs };
  await postpone(ports, id, { sourceType, code: outcome.code, dueAtMs: outcome.untilMs });
  const tier = isScoutsError(error, "quota_exceeded") ? error.data["tier"] : undefined;
  if (tier === undefined) return {};
  const { account } = await ports.scouts.getWithAccount(id.userId, id.scoutId);
  if (account.tier !== tier) await ports.items.released(id, nowMs);
  return {};
}

interface Ending {
  readonly status: "gone" | "dead";
  readonly sourceType: string;
  readonly code: ErrorCode;
  readonly reservation: string | undefined;
}

async function end(ports: TriagePorts, id: ItemId, outcome: Outcome, ending: Ending, error: unknown): Promise<Triaged> {
  const tokens = billedUsage(error);
  const row = await ports.items.end(id, ending, ports.clock(), tokens);
  return row ? { outcome, ended: row } : { outcome };
}

/** After 2, 4, 8, 16 seconds, then dead. Its tokens stay set aside: it is back in a moment. */
async function tryAgain(ports: TriagePorts, id: ItemId, why: Omit<Ending, "status">, error: unknown): Promise<Triaged> {
  const [row] = await ports.items.getMany([id]);
  const attempts = (row?.attempts ?? 0) + 1;
  if (attempts >= maxAttempts) return end(ports, id, done, { status: "dead", ...why }, error);
  const { sourceType, code } = why;
  const dueAtMs = ports.clock() + netMs;
  await ports.items.postpone(id, { status: "failed", sourceType, code, dueAtMs, attempts: 1 });
  return { outcome: done, againInMs: 1000 * 2 ** attempts };
}

async function postpone(
  ports: TriagePorts,
  id: ItemId,
  why: { sourceType: string; code: ErrorCode; dueAtMs: number },
): Promise<void> {
  await ports.items.postpone(id, { status: "deferred", attempts: 0, ...why });
}

/** Why the item's scout is off, when that is what stopped it. */
function disabledBecause(error: unknown): ErrorCode | undefined {
  if (!isScoutsError(error, "scout_disabled")) return undefined;
  const because = errorCodes.find((code) => code === error.data["because"]);
  return because ?? error.code;
}
