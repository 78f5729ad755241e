import process from "node:process";

const size = process.env["ROUNDS"];

/** Whether this is the short run (`npm test`): the same promises, held by fewer repetitions. docs/tests.md says what runs where. */
export const quick = size === "quick";

/** Whether every repetition is made, as `npm run test:whole` does and files that are named. A change has to pass fewer. */
export const whole = !quick && size !== "change";

/** One in so many repetitions is made in a short run, and of what a change has to pass. */
const [share, shareOfChange] = [10, 8];

/**
 * How often a property is tried: all of it in a whole run, an eighth for a change, a tenth in a short run.
 *
 * @param all repetitions of a whole run
 */
export function rounds(all: number): number {
  return whole ? all : Math.ceil(all / (quick ? share : shareOfChange));
}

/**
 * Of circumstances that a promise holds under, all, or the first in a short run: put first what is nearest to use.
 */
export function circumstances<T>(all: readonly T[]): readonly T[] {
  return quick ? all.slice(0, 1) : all;
}

/** Of cases that differ in their seed alone, all in a whole run, else the first. */
export function seeds<T>(all: readonly T[]): readonly T[] {
  return whole ? all : all.slice(0, 1);
}

/** Where what a change has to pass, and the short run, draw their random cases and the order of their tests from. */
export const fixedSeed = 20_261_126;

/**
 * What random cases are drawn from. What a change has to pass is the same each time it is run, so
 * that it fails for the change and not by chance; a whole run draws others each time. `CASE_SEED` repeats one.
 */
export const caseSeed = seedOf(process.env["CASE_SEED"]);

function seedOf(asked: string | undefined): number {
  if (asked !== undefined && /^\d{1,9}$/.test(asked)) return Number(asked);
  return whole ? Date.now() % 2 ** 31 : fixedSeed;
}
