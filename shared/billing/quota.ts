import { ScoutsError } from "../../events/errors.ts";
import type { UserId } from "../../events/ids.ts";
import type { Clock } from "../ports/clock.ts";
import type { Table } from "../ports/table.ts";
import { AccountStore } from "./account-store.ts";
import { monthOf, nextMonthMs } from "./month.ts";
import { monthlyCap, type TierName, tiers } from "./tiers.ts";
import { readUsage } from "./token-budget.ts";

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
 * Whether a scan may begin, as things stand: an answer for people before they link a folder. It may while anything is left
 * of the month's tokens, whatever the estimate: what fits is summarised, the rest waits. What counts is decided when each
 * file's tokens are set aside.
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
    readUsage(ledger, user, monthOf(nowMs), "folder_index"),
  ]);
  const maxFiles = requireFileCount(tier, estimated.files);
  const limit = monthlyCap(tier, "folder_index");
  const resetsAt = nextMonthMs(nowMs);
  if (limit !== undefined && estimated.tokens > 0 && committed >= limit) {
    throw new ScoutsError("folder_monthly_tokens", { data: { tier, limit, used: committed, resetsAt } });
  }
  return { tier, maxFiles, monthlyTokens: limit, committed, resetsAt };
}
