/** Holds whoever comes until it is opened. */
export class Gate {
  readonly #opened = Promise.withResolvers<void>();
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();
  #count = 0;

  pass(): Promise<void> {
    this.#count += 1;
    this.#waiting.get(this.#count)?.resolve();
    return this.#opened.promise;
  }

  /** Resolves when so many have come. */
  reached(count: number): Promise<void> {
    if (this.#count >= count) return Promise.resolve();
    const waiting = this.#waiting.get(count) ?? Promise.withResolvers<void>();
    this.#waiting.set(count, waiting);
    return waiting.promise;
  }

  open(): void {
    this.#opened.resolve();
  }
}
