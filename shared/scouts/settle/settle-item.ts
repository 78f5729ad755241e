import type { ErrorCode } from "../../../events/error-kinds.ts";
import { isScoutsError } from "../../../events/errors.ts";
import { failurePolicy } from "../../breaker/failure-policy.ts";
import { delays } from "../../outcome/delays.ts";
import { configurationInvalid, isOperators, keepsPartBack, type Outcome, outcomeOf } from "../../outcome/outcome.ts";
import { isRedriven } from "../items/item-row.ts";
import type { ItemId } from "../items/item-store.ts";
import { disableScout } from "../lifecycle/disable-scout.ts";
import type { Triaged, TriagePorts } from "../triage/triage.ts";
import type { Attempt } from "./attempt.ts";
import { giveUp } from "./give-up.ts";
import { settleModelFailure } from "./settle-model-failure.ts";
import { settleRedriven } from "./settle-redriven.ts";
import { spendAttempt } from "./spend-attempt.ts";
import { disabledBecause, postpone, wait } from "./wait.ts";

/**
 * Turns what stopped an item into its next state. Whatever is written here survives; only when the writing itself fails
 * is the queue asked to deliver the message again.
 */
export async function settleItem(ports: TriagePorts, tried: Attempt, error: unknown): Promise<Triaged> {
  const nowMs = ports.clock();
  const { id, row } = tried;
  if (row && isRedriven(row)) return settleRedriven(ports, tried, error);
  const off = disabledBecause(error);
  if (off) {
    await postpone(ports, tried, { code: off, dueAtMs: nowMs + delays.switchedOff }, error);
    return { outcome: { kind: "drop", code: "scout_disabled" }, released: true };
  }
  const policy = isScoutsError(error) && failurePolicy(error.code);
  if (policy) return settleModelFailure(ports, tried, error, policy);
  if (isScoutsError(error) && keepsPartBack(error.code)) {
    await postpone(ports, tried, { code: error.code, dueAtMs: nowMs + delays.partBack }, error);
    return { outcome: { kind: "drop", code: error.code }, released: true };
  }
  const outcome = outcomeOf(error, nowMs);
  const { scoutId, ref } = id;
  if (outcome.kind === "defer" && isOperators(outcome.code)) {
    ports.log.error(configurationInvalid, error, { scoutId, ref, what: "triage" });
  } else if (outcome.kind === "defer") ports.log.event("triage_waits", { scoutId, ref, reason: outcome.code });
  else ports.log.error("triage_failed", error, { scoutId, ref, outcome: outcome.kind });
  switch (outcome.kind) {
    case "done":
      return { outcome };
    case "drop":
      return end(ports, tried, outcome, outcome.code);
    case "deadLetter":
      return giveUp(ports, tried, outcome.code, error);
    case "disable":
      await disableScout(ports, id, outcome.code);
      await postpone(ports, tried, { code: outcome.code, dueAtMs: nowMs + delays.switchedOff }, error);
      return { outcome, released: true };
    case "defer":
      return { outcome, released: true, ...(await wait(ports, tried, outcome, error)) };
    case "retry":
      return spendAttempt(ports, tried, outcome.code, error);
  }
}

/** Marks an item that comes from the queue again: if this try kills the worker as well, the row already says so. */
export async function markInterrupted(ports: TriagePorts, id: ItemId, sourceType: string): Promise<void> {
  const { seen } = await ports.items.counts(id);
  const nowMs = ports.clock();
  const dueAtMs = nowMs + delays.rowBehindQueue;
  const why = { status: "failed", sourceType, code: "interrupted", dueAtMs, nowMs, attempts: 1 } as const;
  await ports.items.postpone(id, { ...why, seen });
}

/** Codes of a scout that is removed, or about to be. */
const ofRemoved: ReadonlySet<ErrorCode> = new Set(["scout_not_found", "scout_deleting"]);

/** There is nothing to judge any more. Of a scout that is removed nothing is left. */
async function end(ports: TriagePorts, tried: Attempt, outcome: Outcome, code: ErrorCode): Promise<Triaged> {
  const { id, row: before, sourceType, reservation } = tried;
  if (ofRemoved.has(code)) {
    if (before !== undefined) await ports.items.forget(id);
    return { outcome, released: true };
  }
  const row = await ports.items.end(id, { status: "gone", sourceType, code, reservation }, ports.clock());
  return row ? { outcome, ended: row } : { outcome };
}
