import { expect, test } from "vitest";
import { quick } from "../rounds.ts";
import { holdsForSeeds } from "./holds-for-seeds.ts";
import { runSeed } from "./run.ts";

holdsForSeeds(1, 13);

test.skipIf(quick)("a seed is a whole run: the same steps in the same order, whatever ran before", async () => {
  const first = await runSeed(5);
  const other = await runSeed(6);
  const again = await runSeed(5);
  expect(again).toMatchObject({ fingerprint: first.fingerprint, steps: first.steps, injected: first.injected });
  expect(other.fingerprint).not.toBe(first.fingerprint);
});
