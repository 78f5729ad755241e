import { expect, test } from "vitest";
import { queueDelaySeconds } from "../../../shared/outcome/delays.ts";
import { nextTry, type RetryPolicy, retryPolicies } from "../../../shared/outcome/next-try.ts";
import type { Outcome } from "../../../shared/outcome/outcome.ts";

const nowMs = 1_000_000;
const fault: Outcome = { kind: "retry", code: "internal" };
const waitOf = (ms: number): Outcome => ({ kind: "defer", untilMs: nowMs + ms, code: "quota_exceeded" });

function delaysOf(policy: RetryPolicy): number[] {
  const delays: number[] = [];
  for (let faults = 0; ; faults += 1) {
    const next = nextTry(policy, { faults, waits: 0 }, fault, nowMs);
    if (!next) return delays;
    expect(next.spends).toBe("faults");
    delays.push(next.delayMs / 1000);
  }
}

test("P2: faults are tried again ever later, and a bounded number of times", () => {
  expect(delaysOf(retryPolicies.items)).toEqual([2, 4, 8, 16]);
  expect(delaysOf(retryPolicies.itemsAway)).toEqual([2, 60, 300, 900]);
  expect(delaysOf(retryPolicies.files)).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  expect(delaysOf(retryPolicies.steps)).toEqual([1, 2, 4]);
});

test("P2: a wait spends no fault, and where somebody looks on it ends the work when it is long, or one too many", () => {
  const spent = { faults: 3, waits: 0 };
  expect(nextTry(retryPolicies.items, spent, waitOf(86_400_000), nowMs)).toEqual({
    delayMs: 86_400_000,
    spends: "waits",
  });
  expect(nextTry(retryPolicies.steps, spent, waitOf(60_000), nowMs)).toEqual({ delayMs: 60_000, spends: "waits" });
  expect(nextTry(retryPolicies.steps, spent, waitOf(60_001), nowMs)).toBeUndefined();
  expect(nextTry(retryPolicies.files, { faults: 0, waits: 19 }, waitOf(1_000), nowMs)).toBeDefined();
  expect(nextTry(retryPolicies.files, { faults: 0, waits: 20 }, waitOf(1_000), nowMs)).toBeUndefined();
});

test("what is final is not tried again", () => {
  for (const kind of ["deadLetter", "drop", "disable"] as const) {
    expect(nextTry(retryPolicies.items, { faults: 0, waits: 0 }, { kind, code: "internal" }, nowMs)).toBeUndefined();
  }
});

test("a delay of a queued message is one that SQS takes", () => {
  expect([-5, 0, 1_001, 900_000, 2 ** 40].map(queueDelaySeconds)).toEqual([1, 1, 2, 900, 900]);
});
