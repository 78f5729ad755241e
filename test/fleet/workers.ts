interface WorkerOptions {
  /** Executions at once. */
  readonly most: number;
  /** Messages an execution takes at most. */
  readonly batch: number;
  /** How long an execution takes, however full its batch: items are worked on side by side. */
  readonly seconds: number;
  /** By how many executions a second a queue's pollers become more while messages are left. */
  readonly growth: number;
}

/** Lambda begins with so many batches at once (Lambda, Scaling for SQS). */
const pollersAtFirst = 5;
/** What is not needed goes slowly; nobody has published how slowly. */
const kept = 0.98;

/**
 * The executions behind a queue. More are started only while messages are left over, so that batches fill before
 * executions become more.
 */
export class Workers {
  readonly #options: WorkerOptions;
  #up: number;
  #carried = 0;
  /** Executions at work in the last second. */
  executions = 0;
  /** Ended ones since the beginning, and the messages they had. */
  invocations = 0;
  messages = 0;

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#up = Math.min(pollersAtFirst, options.most);
  }

  /**
   * A second's work.
   *
   * @param granted the share of the executions that the account leaves them
   * @returns how many of the waiting messages are taken
   */
  take(waiting: number, granted: number): number {
    const { most, batch, seconds, growth } = this.#options;
    if (most === Number.POSITIVE_INFINITY) return this.#took(waiting, (waiting * seconds) / batch);
    const up = this.#up * granted;
    const capacity = (up * batch) / seconds + this.#carried;
    const taken = Math.min(waiting, Math.floor(capacity));
    this.#carried = taken < waiting ? capacity - taken : 0;
    this.#up =
      taken < waiting ? Math.min(most, this.#up + growth) : Math.max(Math.min(pollersAtFirst, most), this.#up * kept);
    return this.#took(taken, Math.min(up, taken * seconds));
  }

  #took(messages: number, executions: number): number {
    this.executions = executions;
    this.invocations += executions / this.#options.seconds;
    this.messages += messages;
    return messages;
  }
}
