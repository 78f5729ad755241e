import process from "node:process";

const size = process.env["ROUNDS"];

/** Whether this is the short run (`npm test`): the same promises, held by fewer repetitions. docs/tests.md says what runs where. */
export const quick = size === "quick";

/** Whether every repetition is made, as `npm run test:whole` does and files that are named. A change has to pass fewer. */
export const whole = !quick && size !== "change";

/** One in so many repetitions is made in a short run, and of what a change has to pass. */
const [share, shareOfChange] = [10, 4];

/**
 * How often a property is tried: all of it in a whole run, a quarter for a change, a tenth in a short run.
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
