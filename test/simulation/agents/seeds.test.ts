import { expect, test } from "vitest";
import { quick, whole } from "../../rounds.ts";
import { runAgentSeed } from "./run.ts";

/** Some that come to every end between them: the short run has no others. */
const few = [4, 6, 8];
const all = Array.from({ length: 25 }, (_, before) => before + 1);
const seeds = quick ? few : all.filter((seed) => whole || seed <= 10 || few.includes(seed));
/** The ends that matter. */
const ends = ["completed", "cancelled", "step_limit", "quota_exceeded", "device_gone", "error"];

test(`P1, P2 and 6.2 hold of runs for ${seeds.length} seeds`, { timeout: 600_000 }, async () => {
  const statuses = new Map<number, readonly string[]>();
  for (const seed of seeds) {
    const report = await runAgentSeed(seed);
    expect(report.violations, `npm run sim -- --part runs --seed ${seed} --trace`).toEqual([]);
    statuses.set(seed, [...report.statuses.keys()]);
  }
  // A longer run looks at the few as well: it is made for each change, and notices when they come to other ends.
  expect(few.flatMap((seed) => statuses.get(seed) ?? [])).toEqual(expect.arrayContaining(ends));
});
