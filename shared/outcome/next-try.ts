import { exponentialDelayMs } from "./delays.ts";
import type { Outcome } from "./outcome.ts";

/** How often and how soon a kind of work is tried again. */
export interface RetryPolicy {
  /** So many faults of its own end it. */
  readonly maxFaults: number;
  /** The delay after a fault, by how many there were before. */
  readonly faultDelayMs: (before: number) => number;
  /** So many waits (for tokens, for somebody who is rate limiting) are granted. */
  readonly maxWaits: number;
  /** A longer wait counts as a failure: somebody is looking on. */
  readonly longestWaitMs: number;
}

/** What is away for a quarter of an hour loses nobody anything by it. */
const awayDelaysMs = [2_000, 60_000, 5 * 60_000, 15 * 60_000];

const items: RetryPolicy = {
  maxFaults: 5,
  faultDelayMs: (before) => exponentialDelayMs(before, 2_000),
  // Nobody looks on: an item waits as a row until its time comes.
  maxWaits: Number.POSITIVE_INFINITY,
  longestWaitMs: Number.POSITIVE_INFINITY,
};

export const retryPolicies = {
  /** An item to be judged. */
  items,
  /** The same while its source, or a service that everything here stands on, is away: twenty minutes in all. */
  itemsAway: { ...items, faultDelayMs: (before: number) => awayDelaysMs[before] ?? items.faultDelayMs(before) },
  /** A file to be summarised, while a person sees the scan's progress; the next scan takes it up again. */
  files: {
    maxFaults: 9,
    faultDelayMs: (before: number) => exponentialDelayMs(before, 2_000, 60_000),
    // Others' reservations are waited for as long as a worker that died needs to be noticed, and more.
    maxWaits: 20,
    longestWaitMs: 120_000,
  },
  /** An item of a trial, while a person waits for what would change. */
  trials: {
    maxFaults: 4,
    faultDelayMs: (before: number) => exponentialDelayMs(before, 1_000),
    maxWaits: 10,
    longestWaitMs: 60_000,
  },
  /** A step of an agent's run, while a person waits for the answer. */
  steps: {
    maxFaults: 4,
    faultDelayMs: (before: number) => exponentialDelayMs(before, 1_000),
    maxWaits: 10,
    longestWaitMs: 60_000,
  },
} as const satisfies Record<string, RetryPolicy>;

/** What a piece of work has spent so far. */
export interface Spent {
  readonly faults: number;
  readonly waits: number;
}

export interface NextTry {
  readonly delayMs: number;
  readonly spends: keyof Spent;
}

/**
 * When a piece of work is tried again after it could not be done; undefined when it is given up.
 *
 * @param outcome of the error that stopped it, by `outcomeOf`
 */
export function nextTry(policy: RetryPolicy, spent: Spent, outcome: Outcome, nowMs: number): NextTry | undefined {
  if (outcome.kind === "retry") {
    if (spent.faults + 1 >= policy.maxFaults) return undefined;
    return { delayMs: policy.faultDelayMs(spent.faults), spends: "faults" };
  }
  if (outcome.kind !== "defer" || spent.waits + 1 > policy.maxWaits) return undefined;
  const delayMs = Math.max(0, outcome.untilMs - nowMs);
  return delayMs > policy.longestWaitMs ? undefined : { delayMs, spends: "waits" };
}
