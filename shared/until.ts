import type { Condition, Path } from "./ports/table.ts";

/**
 * A time that is kept as "until" cannot lie further ahead than the life its rule gives. What does was written by a clock that
 * has stepped back since. Twice the life, because clocks differ.
 */
const farthest = (nowMs: number, lifeMs: number) => nowMs + 2 * lifeMs;

/** Whether a time is yet to come, and can have been meant. Milliseconds. @param lifeMs the longest the rule writes */
export const isAhead = (untilMs: number, nowMs: number, lifeMs: number): boolean =>
  untilMs > nowMs && untilMs <= farthest(nowMs, lifeMs);

/** That a row's time is yet to come, as {@link isAhead} says it. */
export const stillAhead = (path: Path, nowMs: number, lifeMs: number): Condition => ({
  all: [
    { path, is: ">", value: nowMs },
    { path, is: "<=", value: farthest(nowMs, lifeMs) },
  ],
});

/** The opposite. */
export const noLongerAhead = (path: Path, nowMs: number, lifeMs: number): Condition => ({
  any: [
    { path, is: "<=", value: nowMs },
    { path, is: ">", value: farthest(nowMs, lifeMs) },
  ],
});

const strayEveryMs = 3_600_000;
const tickMs = 5 * 60_000;

/** An index by time does not show what lies too far ahead: whoever works it off looks there in the first tick of an hour. */
export const isStrayCheckDue = (nowMs: number): boolean => nowMs % strayEveryMs < tickMs;
