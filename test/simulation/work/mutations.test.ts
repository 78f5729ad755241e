import { describe, expect, test } from "vitest";
import { breakages } from "./breakages.ts";
import { runWorkSeed } from "./run.ts";

/** A broken domain must be noticed within so many seeds. */
const maxSeeds = 60;

describe("the simulation of work can fail: it notices when", () => {
  test.each(Object.entries(breakages))("%s", { timeout: 300_000 }, async (_, { variant, rule }) => {
    for (let seed = 1; seed <= maxSeeds; seed += 1) {
      const [violation] = (await runWorkSeed(seed, { variant })).violations;
      if (!violation) continue;
      expect(violation.rule).toMatch(rule);
      return;
    }
    expect.unreachable(`not noticed within ${maxSeeds} seeds`);
  });
});
