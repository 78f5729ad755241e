import process from "node:process";

/** Whether this is the short run (`npm test`): the same promises, held by fewer repetitions. docs/tests.md says what runs where. */
export const quick = process.env["ROUNDS"] === "quick";

/** A short run does this part of the repetitions. */
const share = 10;

/**
 * How often a property is tried: all of it, or a tenth in a short run.
 *
 * @param all repetitions of a whole run
 */
export function rounds(all: number): number {
  return quick ? Math.ceil(all / share) : all;
}

/**
 * Of circumstances that a promise holds under, all, or the first in a short run: put first what is nearest to use.
 */
export function circumstances<T>(all: readonly T[]): readonly T[] {
  return quick ? all.slice(0, 1) : all;
}

/** Of cases that differ in their seed alone, all, or the first in a short run. */
export function seeds<T>(all: readonly T[]): readonly T[] {
  return quick ? all.slice(0, 1) : all;
}
