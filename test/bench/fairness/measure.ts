import { setTimeout } from "node:timers/promises";
import type { LocalSystem } from "../../../cli/up/system.ts";
import type { Home } from "../../../infra/local/home.ts";
import { Tenant } from "./tenant.ts";

/** How often the small tenant's rows are counted, alone and beside the other alike. */
const lookEveryMs = 250;
const longestRoundMs = 600_000;
const warmUpItems = 60;
/** So slow a machine is given up on. */
const longestMsPerItem = 500;
/** Rounds beside a backlog begin this far apart, or when the one before has ended: some thirty while it lasts. */
const spacingMsPerItem = 0.2;

export interface Round {
  /** From the small tenant's request for a sync to each of its verdicts. */
  readonly latenciesMs: readonly number[];
  /** Somebody's source was being read, or waited to be, when it asked. */
  readonly duringSyncs: boolean;
}

export interface Fairness {
  readonly alone: readonly Round[];
  readonly beside: readonly Round[];
  /** The large tenant's: from its request for a sync to each of its verdicts. */
  readonly backlogMs: readonly number[];
}

export interface FairnessOptions {
  readonly items: number;
  readonly fewItems: number;
  readonly rounds: number;
}

/** One small tenant, first alone in the home, then again and again beside a large one's backlog until that is gone. */
export async function measureFairness(system: LocalSystem, options: FairnessOptions): Promise<Fairness> {
  const { items, fewItems, rounds } = options;
  const { home } = system;
  const signal = AbortSignal.timeout(longestRoundMs + items * longestMsPerItem);
  const large = await Tenant.join(system, "tenant-a", items);
  const small = await Tenant.join(system, "tenant-b", fewItems);
  try {
    // Starts every thread of the functions' pools, which is no tenant's doing.
    await Promise.all([measureRound(home, small, fewItems), measureRound(home, large, warmUpItems)]);
    await home.whenIdle(signal);
    const alone: Round[] = [];
    for (let round = 0; round < rounds; round += 1) alone.push(await measureRound(home, small, fewItems));
    large.publish(items);
    const askedAtMs = await large.sync();
    const beside: Round[] = [];
    do {
      const next = setTimeout(items * spacingMsPerItem);
      beside.push(await measureRound(home, small, fewItems));
      await next;
    } while (waiting(home) > 0);
    await home.whenIdle(signal);
    const backlogMs = (await large.judgedAtMs()).slice(warmUpItems).map((atMs) => atMs - askedAtMs);
    return { alone, beside, backlogMs };
  } finally {
    await large.leave();
    await small.leave();
  }
}

async function measureRound(home: Home, tenant: Tenant, items: number): Promise<Round> {
  const before = tenant.published;
  tenant.publish(items);
  const duringSyncs = isSyncing(home);
  const askedAtMs = await tenant.sync();
  for (;;) {
    // Not at once: to read the tenant's rows, more each round, would take the store's time from what is measured.
    await setTimeout(lookEveryMs);
    const judgedAtMs = await tenant.judgedAtMs();
    if (judgedAtMs.length === tenant.published) {
      return { duringSyncs, latenciesMs: judgedAtMs.slice(before).map((atMs) => atMs - askedAtMs) };
    }
    if (Date.now() - askedAtMs > longestRoundMs) {
      throw new Error(`${judgedAtMs.length} of ${tenant.published} items were judged in ${longestRoundMs / 1000} s`);
    }
  }
}

function waiting(home: Home): number {
  const depths = home.depths();
  return (depths["Sync"]?.visible ?? 0) + (depths["Triage"]?.visible ?? 0);
}

function isSyncing(home: Home): boolean {
  const { visible = 0, inFlight = 0 } = home.depths()["Sync"] ?? {};
  return visible + inFlight > 0;
}
