import { expect, test } from "vitest";
import { runFolderSeed } from "./run.ts";

/** Runs a stretch of seeds as one test. */
export function foldersHoldForSeeds(from: number, until: number): void {
  const name = `folders: P1, P2, token sums, the cap and the end of every session hold for seeds ${from} to ${until}`;
  test(name, { timeout: 600_000 }, async () => {
    const ends = new Set<string>();
    for (let seed = from; seed <= until; seed += 1) {
      const report = await runFolderSeed(seed);
      expect(report.violations, `npm run sim -- --part folders --seed ${seed} --trace`).toEqual([]);
      for (const end of report.ends.keys()) ends.add(end);
    }
    expect([...ends]).toEqual(expect.arrayContaining(["completed", "cancelled", "quota_exceeded", "crashed"]));
  });
}
