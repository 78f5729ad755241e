import { describe, expect, test } from "vitest";
import { breakages } from "./breakages.ts";
import { runSeed } from "./run.ts";

/** A broken domain must be noticed within so many seeds. */
const maxSeeds = 150;

describe("the simulation can fail: it notices when", () => {
  test.each(Object.entries(breakages))("%s", { timeout: 300_000 }, async (_, { variant, rule, only, source }) => {
    for (let seed = 1; seed <= maxSeeds; seed += 1) {
      const [violation] = (await runSeed(seed, { variant, ...(only && { only }), ...(source && { source }) }))
        .violations;
      if (!violation) continue;
      expect(violation.rule).toMatch(rule);
      return;
    }
    expect.unreachable(`not noticed within ${maxSeeds} seeds`);
  });
});
