import { monotonicFactory } from "ulidx";

/** The wall clock and the ids of a program: whoever starts it gives them, so that a test may give others. */
export interface TimeAndIds {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A ULID without prefix, another one each time: they sort in the order this process made them. */
  readonly newId: () => string;
}

/** This machine's own. */
export const systemTimeAndIds: TimeAndIds = { now: Date.now, newId: monotonicFactory() };
