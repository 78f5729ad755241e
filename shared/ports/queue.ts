export interface Outgoing<M> {
  readonly body: M;
  /** Fairness (standard queues) or order (FIFO queues) is kept per group. */
  readonly group: string;
  /** The type of the source it is about: some have a queue of their own. */
  readonly source?: string;
  /** FIFO only: a second message with the same id within five minutes is swallowed. */
  readonly dedupeId?: string;
  /** Standard queues only, at most 900. */
  readonly delaySeconds?: number;
}

/** A durable queue. Delivers at least once and in any order (FIFO: in order per group). */
export interface Queue<M> {
  /**
   * Returns when every message is stored. MUST throw `queue_unavailable` when one is not, in which case any subset may
   * have been stored: whoever calls again sends all of them again.
   */
  send(messages: readonly Outgoing<M>[]): Promise<void>;
}
