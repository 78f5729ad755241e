import { expect, test } from "vitest";
import { quick } from "../../rounds.ts";
import { runAgentSeed } from "./run.ts";

/** In a short run, some that come to every end between them. */
const seeds = quick ? [3, 8, 17] : Array.from({ length: 25 }, (_, before) => before + 1);

test(`P1, P2 and 6.2 hold of runs for ${seeds.length} seeds`, { timeout: 600_000 }, async () => {
  const statuses = new Map<string, number>();
  for (const seed of seeds) {
    const report = await runAgentSeed(seed);
    expect(report.violations, `npm run sim -- --part runs --seed ${seed} --trace`).toEqual([]);
    for (const [status, count] of report.statuses) statuses.set(status, (statuses.get(status) ?? 0) + count);
  }
  // The ends that matter have come about.
  expect([...statuses.keys()]).toEqual(
    expect.arrayContaining(["completed", "cancelled", "step_limit", "quota_exceeded", "device_gone", "error"]),
  );
});
