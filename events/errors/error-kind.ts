/**
 * How a failure is treated by a worker that meets it: `retry` is a fault and spends an attempt, `defer` is waiting and
 * does not, `never` is final.
 */
export type RetryClass = "never" | "retry" | "defer";

export interface ErrorKind {
  readonly status: number;
  readonly retry: RetryClass;
  /** One sentence a person can act on. It never holds content, so it may be logged, stored and sent. */
  readonly sentence: string;
}
