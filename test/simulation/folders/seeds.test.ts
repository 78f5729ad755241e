import { expect, test } from "vitest";
import { runFolderSeed } from "./run.ts";

const seeds = 250;

test(`folders: P1, P2, token sums, the cap and the end of every session hold for seeds 1 to ${seeds}`, {
  timeout: 600_000,
}, async () => {
  const ends = new Set<string>();
  for (let seed = 1; seed <= seeds; seed += 1) {
    const report = await runFolderSeed(seed);
    expect(report.violations, `node test/simulation/folders/main.ts --seed ${seed} --trace`).toEqual([]);
    for (const end of report.ends.keys()) ends.add(end);
  }
  expect([...ends]).toEqual(expect.arrayContaining(["completed", "cancelled", "quota_exceeded", "crashed"]));
});

test("folders: a seed is a whole run", async () => {
  const first = await runFolderSeed(5);
  await runFolderSeed(6);
  expect((await runFolderSeed(5)).fingerprint).toBe(first.fingerprint);
  expect((await runFolderSeed(6)).fingerprint).not.toBe(first.fingerprint);
});
