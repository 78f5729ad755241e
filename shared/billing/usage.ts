import type { UserId } from "../../events/ids.ts";
import { AccountStore } from "./account-store.ts";
import { type Month, monthOf, monthsBefore, nextMonthMs } from "./month.ts";
import type { QuotaPorts } from "./quota.ts";
import { type Feature, features, monthlyCap, type TierName } from "./tiers.ts";
import { readUsage as readMonth } from "./token-budget.ts";
import type { UsageRow } from "./usage-row.ts";

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
    const limit = monthlyCap(tier, feature);
    return { feature, used: row.used, committed: row.committed, limit, within: withinOf(row) };
  });
  return { tier, month, resetsAt: nextMonthMs(nowMs), features: await Promise.all(each) };
}

/** What a person used of a feature in a month that is over. */
export type PastUsage = Pick<FeatureUsage, "feature" | "used" | "within">;

/** What a person has used in months before this one, the newest first; what is older than the ledger keeps is nothing. */
export async function readPastUsage(
  { ledger, clock }: QuotaPorts,
  user: UserId,
  months: number,
): Promise<{ readonly month: Month; readonly features: readonly PastUsage[] }[]> {
  const each = monthsBefore(clock(), months).map(async (month) => {
    const rows = features.map(async (feature) => {
      const row = await readMonth(ledger, user, month, feature);
      return { feature, used: row.used, within: withinOf(row) };
    });
    return { month, features: await Promise.all(rows) };
  });
  return Promise.all(each);
}

const withinOf = ({ committedWithin }: UsageRow): FeatureUsage["within"] =>
  [...committedWithin]
    .map(([id, tokens]) => ({ id, tokens }))
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens || (a.id < b.id ? -1 : 1));
