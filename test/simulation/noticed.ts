import { expect, test } from "vitest";
import type { Violation } from "./simulation.ts";

export interface MustBeNoticed {
  /** The rule that must be found broken. */
  readonly rule: RegExp;
  /**
   * A seed that noticed it when this was written: looked at first, as most seeds before it show nothing. Where it does not any more,
   * the search begins at 1.
   */
  readonly seed?: number;
}

/**
 * A test for each way to break a domain: the simulation has to notice it.
 *
 * @param run gives the violations of a seed, with the domain broken
 * @param maxSeeds within how many seeds it must be noticed
 */
export function noticesEach<B extends MustBeNoticed>(
  breakages: Readonly<Record<string, B>>,
  run: (seed: number, breakage: B) => Promise<readonly Violation[]>,
  maxSeeds: number,
): void {
  test.each(Object.entries(breakages))("%s", { timeout: 300_000 }, async (_, breakage) => {
    const { rule, seed: known = 1 } = breakage;
    for (const seed of [known, ...Array.from({ length: maxSeeds }, (_, before) => before + 1)]) {
      const [violation] = await run(seed, breakage);
      if (!violation) continue;
      expect(violation.rule, `seed ${seed}`).toMatch(rule);
      return;
    }
    expect.unreachable(`not noticed within ${maxSeeds} seeds`);
  });
}
