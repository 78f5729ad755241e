import { expect, it } from "vitest";
import { lastOf } from "../../device/console/page/form/last-of.ts";

it("what is said is of what was done last, and nothing of what failed before it", () => {
  const failed = { submittedAt: 1, error: new Error("The scout cannot be paused.") };
  const never = { submittedAt: 0, error: null };
  const done = { submittedAt: 2, error: null };
  expect(lastOf(failed, done, never)).toBe(done);
  expect(lastOf(never, done, { ...failed, submittedAt: 3 }).error).toBe(failed.error);
  expect(lastOf(never, failed)).toBe(failed);
});
