import * as z from "zod";
import { askCloud } from "../../device/connect/cloud-api.ts";
import type { ErrorCode } from "../../events/error-kinds.ts";
import { isScoutsError } from "../../events/errors.ts";
import { mayPass } from "./account.ts";
import { type ItemCounts, judged } from "./item-counts.ts";
import type { LocalSystem } from "./system.ts";
import { pause, pauseMs } from "./tell-of-news.ts";

/** How often in a row a drain may find nothing new before what is missing counts as stuck. */
const maxQuietRounds = 5;

/**
 * Waits until every message that is watched has arrived, been judged and, where relevant, been stored by the device and
 * acknowledged. Waits on events; when all is quiet and something is still missing (a sync that died more often than its
 * queue allows, say) it asks for another run, as the poll timer would a quarter of an hour later.
 */
export async function drain(system: LocalSystem, signal: AbortSignal): Promise<ItemCounts> {
  if (system.isRemoved) {
    await untilIdle(system, signal);
    return system.counter.count();
  }
  // A function that died after it had noted the connection has not asked for the first sync; without that nobody watches
  // the mailbox, and no mail arrives.
  const atFirst = system.world.mailbox.pendingArrivals() > 0 ? await runScout(system) : undefined;
  if (atFirst !== undefined) return withoutScout(system, atFirst, signal);
  let before = -1;
  for (let quiet = 0; ; ) {
    await untilIdle(system, signal);
    const counts = await system.counter.count();
    if (signal.aborted || isComplete(system, counts)) return counts;
    const settledNow = progressOf(counts);
    quiet = settledNow === before ? quiet + 1 : 0;
    if (quiet === maxQuietRounds) return counts;
    before = settledNow;
    if (quiet > 0) await pause(pauseMs(quiet), signal);
    await system.home.runCron("Due");
    const idle = await runScout(system);
    if (idle !== undefined) return withoutScout(system, idle, signal);
    system.device.pull();
  }
}

/** What there is of a mailbox whose scout looks at nothing: other mail comes to its end, and what is missing here waits for the scout. */
async function withoutScout(system: LocalSystem, idle: ErrorCode, signal: AbortSignal): Promise<ItemCounts> {
  await untilIdle({ ...system, isRemoved: true }, signal);
  return { ...(await system.counter.count()), idle };
}

/**
 * Asks for a sync; one that is refused for now is asked for again in the next round.
 *
 * @returns why the scout does not look at all, if it does not: its owner has paused it, or must sign in again, say
 */
export async function runScout({
  api,
  scoutId,
  isRemoved,
}: Pick<LocalSystem, "api" | "scoutId" | "isRemoved">): Promise<ErrorCode | undefined> {
  if (isRemoved) return undefined;
  try {
    await askCloud(api, "POST", `/api/v1/scouts/${scoutId}/run`, z.unknown());
  } catch (error) {
    if (isScoutsError(error) && error.kind.retry === "never") return error.code;
    if (!mayPass(error)) throw error;
  }
  return undefined;
}

/** Waits until all mail has arrived and what it caused is done, without asking for anything itself. */
export async function untilIdle({ world, home, device, isRemoved }: LocalSystem, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const abort = () => aborted.resolve();
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  const quiet = async () => {
    // Mail of a mailbox nobody watches never arrives.
    if (!isRemoved) await world.mailbox.whenAllArrived();
    await world.mailboxes.whenAllArrived();
    await world.push.whenIdle();
    await home.whenIdle(signal);
    await device.settled();
    // The device's last acks have kept the home busy meanwhile.
    await home.whenIdle(signal);
  };
  try {
    await Promise.race([quiet(), aborted.promise]);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/**
 * Every message that is watched has come to an end. One that is gone from the mailbox has as well, and counts no more there; what
 * lay there before the scout was made anew is behind it for good, and no waiting brings it.
 */
function isComplete(system: LocalSystem, counts: ItemCounts): boolean {
  const { waiting, failed, ...ended } = judged(counts);
  const { watched } = system.world.mailbox.stats();
  const count = sum(ended);
  const all = count === watched || (hasReadAll(system, counts) && (count > watched || system.isMadeAnew));
  return all && waiting === 0 && failed === 0 && counts.byStatus.queued === 0;
}

/** Whether the scout has been told of every message that has arrived. */
export function hasReadAll({ world }: Pick<LocalSystem, "world">, { readTo }: ItemCounts): boolean {
  return readTo !== undefined && readTo >= world.mailbox.lastArrival();
}

function progressOf(counts: ItemCounts): number {
  const { waiting: _, failed: __, ...ended } = judged(counts);
  return sum(ended) - counts.byStatus.queued;
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
