import { type ErrorCode, errorCodes } from "../../../events/error-kinds.ts";
import { isScoutsError } from "../../../events/errors.ts";
import { billedTokens, billedUsage } from "../../llm/billed-usage.ts";
import { delays, longestQueueDelayMs } from "../../outcome/delays.ts";
import type { Triaged, TriagePorts } from "../triage/triage.ts";
import type { Attempt } from "./attempt.ts";

/**
 * Short waits are queued again with a delay, long ones are a row the due cron comes back to. An operator who raises the
 * tier releases such rows, and may do so before this one is there; so the tier is looked at once more after it is written:
 *
 *   operator  raises ─ releases what waits
 *   worker       refused under the old tier ─ writes: waits ─ reads the tier: another ─ releases
 */
export async function wait(
  ports: TriagePorts,
  tried: Attempt,
  outcome: { untilMs: number; code: ErrorCode },
  error: unknown,
): Promise<Pick<Triaged, "againInMs" | "counted">> {
  const nowMs = ports.clock();
  const { id } = tried;
  const { code, untilMs } = outcome;
  const delayMs = Math.max(untilMs - nowMs, 1000);
  if (delayMs <= longestQueueDelayMs) {
    const dueAtMs = nowMs + delayMs + delays.rowBehindQueue;
    return { againInMs: delayMs, ...(isBilled(error) ? await postpone(ports, tried, { code, dueAtMs }, error) : {}) };
  }
  const counted = await postpone(ports, tried, { code, dueAtMs: untilMs }, error);
  const tier = isScoutsError(error, "quota_exceeded") ? error.data["tier"] : undefined;
  if (tier === undefined) return counted;
  const { account } = await ports.scouts.getWithAccount(id.userId, id.scoutId);
  if (account.tier !== tier) await ports.items.released(id, nowMs);
  return counted;
}

/** Why an item waits, and until when, in milliseconds since the epoch. */
interface Waiting {
  readonly code: ErrorCode;
  readonly dueAtMs: number;
  readonly alone?: 1;
}

/**
 * Writes that an item waits. It spends no try: what it waits for is no fault of its own. What an answer was billed that came before
 * the failure is counted by the row.
 */
export async function postpone(
  ports: TriagePorts,
  { id, sourceType, reservation }: Attempt,
  why: Waiting,
  error: unknown,
): Promise<Pick<Triaged, "counted">> {
  const written = { ...why, status: "deferred", attempts: 0, sourceType, nowMs: ports.clock() } as const;
  const billed = isBilled(error);
  if (!billed && why.alone === undefined) {
    await ports.items.postpone(id, written);
    return {};
  }
  const { seen } = await ports.items.counts(id);
  const under = billed ? { reservation } : {};
  const row = await ports.items.postpone(id, { ...written, ...under, seen }, billedUsage(error));
  return billed && row ? { counted: row } : {};
}

function isBilled(error: unknown): boolean {
  return billedTokens(error) > 0;
}

/** Why the item's scout is off, when that is what stopped it. */
export function disabledBecause(error: unknown): ErrorCode | undefined {
  if (!isScoutsError(error, "scout_disabled")) return undefined;
  const because = errorCodes.find((code) => code === error.data["because"]);
  return because ?? error.code;
}
