import * as z from "zod";

/** What a person may use, by tier. `undefined` is unlimited. Tokens count input and output, per calendar month (UTC). */
export interface TierLimits {
  readonly folder_max_files: number | undefined;
  readonly folder_monthly_tokens: number | undefined;
  readonly triage_monthly_tokens: number | undefined;
  readonly agents_monthly_tokens: number | undefined;
  readonly categorize_monthly_tokens: number | undefined;
}

export const tierName = z.enum(["free", "pro", "power", "team"]);
export type TierName = z.infer<typeof tierName>;

const unlimited: TierLimits = {
  folder_max_files: undefined,
  folder_monthly_tokens: undefined,
  triage_monthly_tokens: undefined,
  agents_monthly_tokens: undefined,
  categorize_monthly_tokens: undefined,
};

/** The one table of tiers. */
export const tiers: Readonly<Record<TierName, TierLimits>> = {
  free: {
    folder_max_files: 200,
    folder_monthly_tokens: 100_000,
    triage_monthly_tokens: 500_000,
    agents_monthly_tokens: 200_000,
    categorize_monthly_tokens: 500_000,
  },
  pro: {
    folder_max_files: 5_000,
    folder_monthly_tokens: 2_000_000,
    triage_monthly_tokens: 10_000_000,
    agents_monthly_tokens: 5_000_000,
    categorize_monthly_tokens: 10_000_000,
  },
  power: unlimited,
  team: unlimited,
};

/** What tokens are spent on; each is counted by itself. */
export const features = ["triage", "folder_index", "agents", "categorize"] as const;
export type Feature = (typeof features)[number];

const capNames = {
  triage: "triage_monthly_tokens",
  folder_index: "folder_monthly_tokens",
  agents: "agents_monthly_tokens",
  categorize: "categorize_monthly_tokens",
} as const satisfies Record<Feature, keyof TierLimits>;

/** Tokens a month; `undefined` is unlimited. */
export function monthlyCap(tier: TierName, feature: Feature): number | undefined {
  return tiers[tier][capNames[feature]];
}
