import { expect, test } from "vitest";
import { whole } from "../../rounds.ts";
import { runWorkSeed } from "./run.ts";

const seeds = whole ? 12 : 6;

test(`P1, P2 and one truth a proposal hold of work for seeds 1 to ${seeds}`, { timeout: 600_000 }, async () => {
  let reopened = 0;
  let conflicts = 0;
  for (let seed = 1; seed <= seeds; seed += 1) {
    const report = await runWorkSeed(seed);
    expect(report.violations, `npm run sim -- --part work --seed ${seed} --trace`).toEqual([]);
    reopened += report.reopened;
    conflicts += report.conflicts;
  }
  // What matters has come about.
  expect(reopened).toBeGreaterThan(seeds);
  expect(conflicts).toBeGreaterThan(0);
});
