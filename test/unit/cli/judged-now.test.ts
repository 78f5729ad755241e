import { expect, test } from "vitest";
import { isWithin } from "../../../cli/up/item-counts.ts";

test("what was judged while the clock was ahead is not counted as judged in this start", () => {
  const [startedMs, nowMs, aheadMs] = [1_000, 2_000, 9_000];
  const counted = [500, 1_000, 1_500, 2_000, aheadMs].filter((triagedAt) => isWithin({ triagedAt }, startedMs, nowMs));
  expect(counted).toEqual([1_000, 1_500, 2_000]);
  expect(isWithin({}, startedMs, nowMs)).toBe(false);
});
