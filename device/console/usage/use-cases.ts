import { isScoutsError } from "../../../events/errors.ts";
import type { UsageResponse } from "../../../events/http/usage.ts";
import { artifactMetrics } from "../../artifacts/metrics.ts";
import { openArtifacts } from "../../artifacts/open-artifacts.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import { listScouts } from "../../connect/list-scouts.ts";
import { isDeviceError } from "../../errors.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { TimeAndIds } from "../../time-and-ids.ts";
import { askUsage, keepUsage, keptUsage, type ToldUsage } from "../../usage/month-usage.ts";
import { namesOfUsers } from "../../usage/names-of-users.ts";
import { costOf, type Price, priceOf, setPrice, type TypedPrice } from "../../usage/price.ts";
import { type Told, toldCode, toldError } from "../told.ts";

/** A year, this month included. */
const shownMonths = 12;

export interface UsageParts extends TimeAndIds {
  readonly api: CloudApi;
  readonly store: DeviceStore;
}

/** What a tab can ask about what is used. */
export type UsageUseCases = ReturnType<typeof usageUseCases>;

/** Tokens by month, feature, scout and project, as `scouts usage` has them, and what artifacts save, as `scouts artifacts stats`. */
export function usageUseCases({ api, store, now, newId }: UsageParts) {
  /** What the home says now, or what it said last and why it says nothing. */
  const ask = async (): Promise<{ readonly told: ToldUsage | undefined; readonly trouble: Told | null }> => {
    try {
      const [usage, scouts] = await Promise.all([askUsage(api, shownMonths), listScouts(api)]);
      // What each scout is called: the home counts by id.
      store.knownScouts.replace(scouts);
      const told = { atMs: now(), usage };
      keepUsage(store, told);
      return { told, trouble: null };
    } catch (error) {
      if (!isScoutsError(error) && !isDeviceError(error)) throw error;
      return { told: keptUsage(store), trouble: toldError(error) };
    }
  };

  return {
    async usage() {
      const { told, trouble } = await ask();
      const price = priceOf(store) ?? null;
      return { trouble, price, told: told === undefined ? null : shown(store, told, price) };
    },

    /** @throws ArtifactError `store_unavailable` */
    artifacts: () => artifactMetrics(openArtifacts(store.dataFolder, { now, newId }, store.vault)),

    /** @throws DeviceError `value_invalid` */
    setPrice: (typed: TypedPrice | null) => ({ price: setPrice(store, typed) }),
  };
}

/** Months, the oldest first, and what went into each scout and project this month. */
function shown(store: DeviceStore, { atMs, usage }: ToldUsage, price: Price | null) {
  const { tier, month, resetsAt, features, damaged = [], past = [] } = usage;
  const cost = (tokens: number) => (price === null ? null : costOf(tokens, price));
  const months = [...past.toReversed(), { month, features, damaged }].map((each) => {
    const total = each.features.reduce((sum, { used }) => sum + used, 0);
    const parts = each.features.map(({ feature, used }) => ({ feature, used }));
    return { month: each.month, features: parts, damaged: each.damaged ?? [], total, cost: cost(total) };
  });
  const limits = features.map(({ feature, used, committed, limit }) => {
    const share = limit === null ? null : limit === 0 ? 1 : committed / limit;
    return { feature, used, setAside: Math.max(0, committed - used), limit, share };
  });
  const missing = damaged.map((what) => ({ what, why: toldCode("row_damaged") }));
  return { atMs, tier, month, resetsAt, months, limits, missing, within: withinOf(store, features, cost) };
}

/** Scouts and projects are called as this device knows them; the home counts by id. */
function withinOf(store: DeviceStore, features: UsageResponse["features"], cost: (tokens: number) => number | null) {
  const names = namesOfUsers(store);
  return features
    .flatMap(({ feature, within }) =>
      within.map(({ id, tokens }) => ({ feature, id, name: names.get(id) ?? null, tokens, cost: cost(tokens) })),
    )
    .toSorted((one, other) => other.tokens - one.tokens);
}
