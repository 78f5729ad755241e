import { type ErrorCode, errorCodes } from "../../../events/error-kinds.ts";
import { isScoutsError } from "../../../events/errors.ts";
import { longestQueueDelayMs } from "../../outcome/delays.ts";
import type { TriagePorts } from "../triage/triage.ts";
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
): Promise<{ againInMs?: number }> {
  const nowMs = ports.clock();
  const { id } = tried;
  const delayMs = Math.max(outcome.untilMs - nowMs, 1000);
  if (delayMs <= longestQueueDelayMs) return { againInMs: delayMs };
  await postpone(ports, tried, outcome.code, outcome.untilMs);
  const tier = isScoutsError(error, "quota_exceeded") ? error.data["tier"] : undefined;
  if (tier === undefined) return {};
  const { account } = await ports.scouts.getWithAccount(id.userId, id.scoutId);
  if (account.tier !== tier) await ports.items.released(id, nowMs);
  return {};
}

/**
 * Writes that an item waits. Its tries are counted from none again: what it waits for is no fault of its own.
 *
 * @param dueAtMs when it is to be tried again, in milliseconds since the epoch
 */
export async function postpone(ports: TriagePorts, tried: Attempt, code: ErrorCode, dueAtMs: number): Promise<void> {
  const { id, sourceType } = tried;
  await ports.items.postpone(id, {
    status: "deferred",
    attempts: 0,
    sourceType,
    code,
    dueAtMs,
    nowMs: ports.clock(),
  });
}

/** Why the item's scout is off, when that is what stopped it. */
export function disabledBecause(error: unknown): ErrorCode | undefined {
  if (!isScoutsError(error, "scout_disabled")) return undefined;
  const because = errorCodes.find((code) => code === error.data["because"]);
  return because ?? error.code;
}
