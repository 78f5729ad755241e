import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isolationOrder } from "../../../shared/outcome/poison-isolation.ts";

const named = (name: string) => name;

test("P2: whichever message takes its worker with it, all others are done by the third receive, however batches are ordered", () => {
  const batch = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 10 });
  const shuffles = fc.tuple(fc.integer(), fc.integer());
  fc.assert(
    fc.property(batch, fc.nat(), shuffles, (names, at, seeds) => {
      const culprit = names[at % names.length];
      const left = new Set(names);
      for (const [receive, seed] of [2, 3].map((count, index) => [count, seeds[index] ?? 0] as const)) {
        const arrived = [...left].sort((a, b) => ((a + seed).length % 3) - ((b + seed).length % 3));
        for (const name of isolationOrder(arrived, named, receive)) {
          if (name === culprit) break;
          left.delete(name);
        }
      }
      expect([...left]).toEqual([culprit]);
    }),
  );
});
