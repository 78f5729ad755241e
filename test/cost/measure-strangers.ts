import { untilIdle } from "../../cli/up/drain.ts";
import type { LocalSystem } from "../../cli/up/system.ts";
import { Tenant } from "../bench/fairness/tenant.ts";
import { type Requests, requestsOf, since } from "../bench/pipeline/requests.ts";
import { onWarmSystem } from "../bench/pipeline/warm-system.ts";
import type { Figures } from "./figures.ts";
import { perItem } from "./measure.ts";

const people = 20;

/**
 * Counts the requests of an item each of twenty people, whose only device is away: one after another, and all at once, when
 * strangers share batches. Feeds, because a mailbox has one owner here.
 */
export function measureStrangers(seed: number): Promise<Figures["strangers"]> {
  const measure = async (system: LocalSystem) => {
    const tenants: Tenant[] = [];
    try {
      for (let number = 1; number <= people; number += 1)
        tenants.push(await Tenant.join(system, `person-${number}`, 1));
      // The first starts every thread of the functions' pools.
      await countRound(system, tenants, together);
      return {
        alone: await countRound(system, tenants, oneByOne),
        together: await countRound(system, tenants, together),
      };
    } finally {
      for (const tenant of tenants) await tenant.leave();
    }
  };
  return onWarmSystem(seed, measure, { FEED_ADDRESSES: "any" });
}

type Syncing = (system: LocalSystem, tenants: readonly Tenant[]) => Promise<void>;

const together: Syncing = async (_, tenants) => {
  await Promise.all(tenants.map((tenant) => tenant.sync()));
};

const oneByOne: Syncing = async (system, tenants) => {
  for (const tenant of tenants) {
    await tenant.sync();
    await untilIdle(system, new AbortController().signal);
  }
};

async function countRound(system: LocalSystem, tenants: readonly Tenant[], sync: Syncing): Promise<Requests> {
  const { signal } = new AbortController();
  await untilIdle(system, signal);
  for (const tenant of tenants) tenant.publish(1);
  const before = requestsOf(system);
  await sync(system, tenants);
  await untilIdle(system, signal);
  return perItem(since(before, requestsOf(system)), tenants.length);
}
