import type { UserId } from "../../events/ids.ts";
import type { Table } from "../ports/table.ts";
import { unlessDamaged } from "../stored-row.ts";
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
  /** Undefined of a damaged account: then no limit is known either. */
  readonly tier: TierName | undefined;
  readonly month: Month;
  readonly resetsAt: number;
  readonly features: readonly FeatureUsage[];
  /** What is missing here because its row is damaged. */
  readonly damaged: readonly ("account" | Feature)[];
}

/** What a person has used this month; what can be read of it where a row is damaged. */
export async function readUsage({ ledger, clock }: QuotaPorts, user: UserId): Promise<Usage> {
  const nowMs = clock();
  const month = monthOf(nowMs);
  const account = await unlessDamaged(new AccountStore(ledger).get(user));
  const { rows, damaged } = await readFeatures(ledger, user, month);
  return {
    tier: account?.tier,
    month,
    resetsAt: nextMonthMs(nowMs),
    features: rows.map(({ feature, row }) => {
      const limit = account && monthlyCap(account.tier, feature);
      return { feature, used: row.used, committed: row.committed, limit, within: withinOf(row) };
    }),
    damaged: [...(account ? [] : ["account" as const]), ...damaged],
  };
}

/** What a person used of a feature in a month that is over. */
export type PastUsage = Pick<FeatureUsage, "feature" | "used" | "within">;

export interface PastMonth {
  readonly month: Month;
  readonly features: readonly PastUsage[];
  /** Features whose row is damaged. */
  readonly damaged: readonly Feature[];
}

/** What a person has used in months before this one, the newest first; what is older than the ledger keeps is nothing. */
export async function readPastUsage(
  { ledger, clock }: QuotaPorts,
  user: UserId,
  months: number,
): Promise<readonly PastMonth[]> {
  const each = monthsBefore(clock(), months).map(async (month) => {
    const { rows, damaged } = await readFeatures(ledger, user, month);
    return {
      month,
      features: rows.map(({ feature, row }) => ({ feature, used: row.used, within: withinOf(row) })),
      damaged,
    };
  });
  return Promise.all(each);
}

async function readFeatures(ledger: Table, user: UserId, month: Month) {
  const reads = features.map(async (feature) => ({
    feature,
    row: await unlessDamaged(readMonth(ledger, user, month, feature)),
  }));
  const each = await Promise.all(reads);
  return {
    rows: each.flatMap(({ feature, row }) => (row ? [{ feature, row }] : [])),
    damaged: each.flatMap(({ feature, row }) => (row ? [] : [feature])),
  };
}

const withinOf = ({ committedWithin }: UsageRow): FeatureUsage["within"] =>
  [...committedWithin]
    .map(([id, tokens]) => ({ id, tokens }))
    .filter(({ tokens }) => tokens > 0)
    .sort((a, b) => b.tokens - a.tokens || (a.id < b.id ? -1 : 1));
