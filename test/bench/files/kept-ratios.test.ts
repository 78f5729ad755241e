import { describe, expect, it } from "vitest";
import { judged, keptRatios } from "./kept-ratios.ts";

const kept = { name: "walk", peer: "git", goal: 1.5, limit: 2 };

describe("a ratio that is kept", () => {
  it.each([
    [1.5, "goal reached", true],
    [1.51, "kept", true],
    [2, "kept", true],
    [2.01, "WORSE THAN THE LIMIT", false],
  ])("%d is told as: %s", (ratio, verdict, isKept) => {
    const told = judged(kept, ratio);
    expect(told.isKept).toBe(isKept);
    expect(told.line).toContain(verdict);
    expect(told.line).toMatch(/limit 2 +goal 1\.5/);
  });

  it("says that nothing was measured where the system does not tell processor time", () => {
    expect(judged(kept, Number.NaN)).toMatchObject({ isKept: true, line: expect.stringContaining("not measured") });
  });

  it("has a limit that is not stricter than its goal", () => {
    for (const { goal, limit } of Object.values(keptRatios)) expect(limit).toBeGreaterThanOrEqual(goal);
  });
});
