import { describe, expect, test } from "vitest";
import { runMove } from "./run.ts";
import { mistakes } from "./steps.ts";

const nothing = { lost: 0, twice: 0 };

test("P2: a person who moves while mail comes and workers die has every item judged once", () => {
  for (let seed = 1; seed <= 40; seed += 1) expect(runMove({ seed }), `seed ${seed}`).toMatchObject(nothing);
});

describe("P2: nothing is lost and nothing there twice when whoever moves a person", () => {
  test.each([
    ["dies", false],
    ["sleeps until another has finished", true],
  ])("%s at any port call", (_, sleepsInstead) => {
    for (const seed of [101, 102]) {
      const { pauses } = runMove({ seed });
      expect(pauses).toBeGreaterThan(20);
      for (let killedAfter = 1; killedAfter <= pauses; killedAfter += 1) {
        const report = runMove({ seed, killedAfter, sleepsInstead });
        expect(report, `seed ${seed}, killed after ${killedAfter}`).toMatchObject(nothing);
      }
    }
  });
});

describe("the run can fail: it notices a move that", () => {
  test.each(mistakes)("%s", (mistake) => {
    const isNoticed = (seed: number) => {
      const { lost, twice } = runMove({ seed, mistake });
      return lost + twice > 0;
    };
    expect(Array.from({ length: 100 }, (_, seed) => seed).some(isNoticed)).toBe(true);
  });
});
