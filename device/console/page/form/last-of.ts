interface Doing {
  /** Milliseconds since the epoch; 0 where it was never done. */
  readonly submittedAt: number;
  readonly error: Error | null;
}

/** Which of several things was done last: what became of the others is of before, and is said no longer. */
export const lastOf = (...done: readonly [Doing, ...Doing[]]): Doing =>
  done.reduce((last, each) => (each.submittedAt > last.submittedAt ? each : last));
