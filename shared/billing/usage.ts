import type { UserId } from "../../events/ids.ts";
import { AccountStore } from "./account-store.ts";
import { type Month, monthOf, nextMonthMs } from "./month.ts";
import type { QuotaPorts } from "./quota.ts";
import { type Feature, features, monthlyCap, type TierName } from "./tiers.ts";
import { readUsage as readMonth } from "./token-budget.ts";

/** Tokens of one feature in a month. */
export interface FeatureUsage {
  readonly feature: Feature;
  /** Taken by what is finished. */
  readonly used: number;
  /** Taken and set aside: what the limit is held against. */
  readonly committed: number;
  readonly limit: number | undefined;
  /** Committed by each scout or project, most first. */
  readonly within: readonly { readonly id: string; readonly tokens: number }[];
}

export interface Usage {
  readonly tier: TierName;
  readonly month: Month;
  readonly resetsAt: number;
  readonly features: readonly FeatureUsage[];
}

/** What a person has used this month. */
export async function readUsage({ ledger, clock }: QuotaPorts, user: UserId): Promise<Usage> {
  const nowMs = clock();
  const month = monthOf(nowMs);
  const { tier } = await new AccountStore(ledger).get(user);
  const each = features.map(async (feature): Promise<FeatureUsage> => {
    const row = await readMonth(ledger, user, month, feature);
    const within = [...row.committedWithin]
      .map(([id, tokens]) => ({ id, tokens }))
      .filter(({ tokens }) => tokens > 0)
      .sort((a, b) => b.tokens - a.tokens || (a.id < b.id ? -1 : 1));
    return { feature, used: row.used, committed: row.committed, limit: monthlyCap(tier, feature), within };
  });
  return { tier, month, resetsAt: nextMonthMs(nowMs), features: await Promise.all(each) };
}
