/** Tells when nothing is left to do. Asked again after every event that may have been the last, at most once a turn. */
export class IdleWatch {
  readonly #isIdle: () => boolean;
  #waiters: (() => void)[] = [];
  #scheduled = false;

  constructor(isIdle: () => boolean) {
    this.#isIdle = isIdle;
  }

  /** Something ended or went: look once this turn of the event loop is over. */
  poke(): void {
    if (this.#waiters.length === 0 || this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (!this.#isIdle()) return;
      for (const resolve of this.#waiters.splice(0)) resolve();
    });
  }

  /** Resolves when idle. @throws the signal's reason when it aborts first */
  wait(signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted) return Promise.reject(signal.reason);
    const abort = () => {
      this.#waiters = this.#waiters.filter((waiter) => waiter !== done);
      reject(signal?.reason);
    };
    const done = () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    };
    signal?.addEventListener("abort", abort, { once: true });
    this.#waiters.push(done);
    this.poke();
    return promise;
  }
}
