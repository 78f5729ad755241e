import type { LimitSettings } from "../../config/config-schema.ts";

/** What one session may use. A person can extend it when asked (`whenSpent: "ask"`). */
export interface SessionLimits {
  readonly calls: number;
  readonly bytesRead: number;
  readonly tokensRead: number;
  readonly writes: number;
  readonly whenSpent: "refuse" | "ask";
}

export const defaultLimits: SessionLimits = {
  calls: 2_000,
  bytesRead: 64 * 1024 * 1024,
  tokensRead: 2_000_000,
  writes: 500,
  whenSpent: "refuse",
};

export type Spending = Omit<SessionLimits, "whenSpent">;
export type Allowance = keyof Spending;
export const allowances = ["calls", "bytesRead", "tokensRead", "writes"] as const satisfies readonly Allowance[];

/**
 * What a session gets: as the person has set it, else the defaults; never more than whoever opens the session can take.
 *
 * @param own of the session's kind, such as the tokens of a run
 */
export function limitsOf(set: LimitSettings, own: Partial<SessionLimits> = {}): SessionLimits {
  const limits = { ...defaultLimits, whenSpent: set.whenSpent ?? own.whenSpent ?? defaultLimits.whenSpent };
  for (const each of allowances) {
    const most = own[each];
    limits[each] = set[each] ?? most ?? defaultLimits[each];
    if (most !== undefined) limits[each] = Math.min(limits[each], most);
  }
  return limits;
}
