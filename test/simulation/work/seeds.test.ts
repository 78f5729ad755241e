import { expect, test } from "vitest";
import { whole } from "../../rounds.ts";
import { runWorkSeed } from "./run.ts";

/** Some in which two devices decide the same proposal differently, which is rare. */
const telling = [7, 18, 27];
const first = Array.from({ length: whole ? 12 : 3 }, (_, before) => before + 1);
const seeds = [...new Set([...first, ...telling])];

test(`P1, P2 and one truth a proposal hold of work for ${seeds.length} seeds`, { timeout: 600_000 }, async () => {
  let reopened = 0;
  let conflicts = 0;
  for (const seed of seeds) {
    const report = await runWorkSeed(seed);
    expect(report.violations, `npm run sim -- --part work --seed ${seed} --trace`).toEqual([]);
    reopened += report.reopened;
    conflicts += report.conflicts;
  }
  // What matters has come about.
  expect(reopened).toBeGreaterThan(seeds.length);
  expect(conflicts).toBeGreaterThan(1);
});
