import type { Outgoing, Queue } from "../ports/queue.ts";

/**
 * Sends work to the queue of its source where that has one of its own, so that a slow kind of source holds nobody else
 * up.
 */
export class SourceQueues<M> implements Queue<M> {
  readonly #shared: Queue<M>;
  readonly #own: ReadonlyMap<string, Queue<M>>;

  constructor(shared: Queue<M>, own: ReadonlyMap<string, Queue<M>>) {
    this.#shared = shared;
    this.#own = own;
  }

  async send(messages: readonly Outgoing<M>[]): Promise<void> {
    const byQueue = Map.groupBy(messages, ({ source }) => this.#own.get(source ?? "") ?? this.#shared);
    for (const [queue, some] of byQueue) await queue.send(some);
  }
}
