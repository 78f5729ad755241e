import { expect, test } from "vitest";
import { quick, whole } from "../rounds.ts";
import { runSeed } from "./run.ts";

/** Runs a stretch of seeds, its first twelfth in a short run and its first half for a change, as tests of their own file, so that stretches run side by side. */
export function holdsForSeeds(from: number, last: number): void {
  const until = whole ? last : from + Math.floor((last - from) / (quick ? 12 : 2));
  test(`P1, P2, token sums and tenant isolation hold for seeds ${from} to ${until}`, { timeout: 600_000 }, async () => {
    for (let seed = from; seed <= until; seed += 1) {
      const { violations } = await runSeed(seed);
      expect(violations, `npm run sim -- --seed ${seed} --trace`).toEqual([]);
    }
  });
}
