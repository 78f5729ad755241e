import { ScoutsError } from "../../events/errors.ts";
import type { UserId } from "../../events/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Table } from "../ports/table.ts";
import { AccountStore } from "./account-store.ts";
import { type Month, monthOf, nextMonthMs } from "./month.ts";
import { type Feature, features, monthlyCap, type TierName, tiers } from "./tiers.ts";
import { TokenBudget } from "./token-budget.ts";

export interface QuotaPorts {
  readonly ledger: Table;
  readonly clock: Clock;
}

/** What is left for folders; `undefined` limits are none. Times in milliseconds since the epoch. */
export interface FolderQuota {
  readonly tier: TierName;
  readonly maxFiles: number | undefined;
  readonly monthlyTokens: number | undefined;
  /** Used and set aside. */
  readonly committed: number;
  readonly resetsAt: number;
}

/** @returns the most files a folder may have. @throws folder_max_files with `{ tier, limit, used, resetsAt: null }` */
export function requireFileCount(tier: TierName, files: number): number | undefined {
  const limit = tiers[tier].folder_max_files;
  if (limit === undefined || files <= limit) return limit;
  // No month makes a folder smaller.
  throw new ScoutsError("folder_max_files", { data: { tier, limit, used: files, resetsAt: null } });
}

/**
 * Whether a scan of that size may begin, as things stand: an answer for people before they link a folder. What counts is
 * decided when each file's tokens are set aside.
 *
 * @throws folder_max_files, folder_monthly_tokens with `{ tier, limit, used, resetsAt }`
 */
export async function checkFolderQuota(
  { ledger, clock }: QuotaPorts,
  user: UserId,
  estimated: { readonly files: number; readonly tokens: number },
): Promise<FolderQuota> {
  const nowMs = clock();
  const [{ tier }, { committed }] = await Promise.all([
    new AccountStore(ledger).get(user),
    new TokenBudget(ledger, "folder_index", clock).read(user, monthOf(nowMs)),
  ]);
  const maxFiles = requireFileCount(tier, estimated.files);
  const limit = monthlyCap(tier, "folder_index");
  const resetsAt = nextMonthMs(nowMs);
  if (limit !== undefined && committed + estimated.tokens > limit) {
    throw new ScoutsError("folder_monthly_tokens", { data: { tier, limit, used: committed, resetsAt } });
  }
  return { tier, maxFiles, monthlyTokens: limit, committed, resetsAt };
}

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
    const row = await new TokenBudget(ledger, feature, clock).read(user, month);
    const within = [...row.committedWithin]
      .map(([id, tokens]) => ({ id, tokens }))
      .filter(({ tokens }) => tokens > 0)
      .sort((a, b) => b.tokens - a.tokens || (a.id < b.id ? -1 : 1));
    return { feature, used: row.used, committed: row.committed, limit: monthlyCap(tier, feature), within };
  });
  return { tier, month, resetsAt: nextMonthMs(nowMs), features: await Promise.all(each) };
}
