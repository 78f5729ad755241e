import type { MethodName } from "./api/method-name.ts";
import { googleErrors } from "./google-error.ts";

/** Quota units since 2026-05-01 (https://developers.google.com/workspace/gmail/api/reference/quota). */
export const methodUnits: Readonly<Record<MethodName, number>> = {
  getProfile: 1,
  watch: 100,
  stop: 50,
  "labels.get": 1,
  "labels.list": 1,
  "history.list": 2,
  "messages.list": 5,
  "messages.get": 20,
  "messages.attachments.get": 20,
  "messages.modify": 5,
  "messages.trash": 20,
  "messages.untrash": 5,
  "messages.batchModify": 50,
};

export interface QuotaLimits {
  readonly unitsPerUserMinute: number;
  readonly unitsPerProjectMinute: number;
}

/** Limits of a new Google Cloud project, same source. */
export const defaultLimits: QuotaLimits = { unitsPerUserMinute: 6_000, unitsPerProjectMinute: 1_200_000 };

const minuteMs = 60_000;

export interface Quota {
  /** Charges a call; throws the 403 Google answers when a minute's allowance is used up. */
  charge(method: MethodName): void;
  setLimits(limits: Partial<QuotaLimits>): void;
  /** Units charged since the start. */
  total(): number;
}

/** One user's and the project's allowance, by windows of a minute. */
export function createQuota(limits: QuotaLimits, clock: () => number): Quota {
  let current = limits;
  let windowStartMs = Number.NEGATIVE_INFINITY;
  let used = 0;
  let total = 0;
  return {
    charge: (method) => {
      const now = clock();
      if (now - windowStartMs >= minuteMs || now < windowStartMs) {
        windowStartMs = now;
        used = 0;
      }
      const units = methodUnits[method];
      if (used + units > current.unitsPerUserMinute) throw googleErrors.rateLimitExceeded("user");
      if (used + units > current.unitsPerProjectMinute) throw googleErrors.rateLimitExceeded("project");
      used += units;
      total += units;
    },
    setLimits: (change) => {
      current = { ...current, ...change };
    },
    total: () => total,
  };
}
