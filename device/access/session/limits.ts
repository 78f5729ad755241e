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
