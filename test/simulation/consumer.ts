import type { MemoryQueue, ReceivedMessage } from "../memory/queue.ts";
import { Process } from "./process.ts";
import type { Simulation } from "./simulation.ts";

/** What a worker answers: the ids of the messages that failed (`batchItemFailures`). */
export type Worker = (process: Process, batch: readonly ReceivedMessage[]) => Promise<readonly string[]>;

export interface ConsumerOptions {
  readonly name: string;
  readonly timeoutMs: number;
  /** What the function keeps back of its time. */
  readonly reserveMs: number;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly work: Worker;
  /** A message has left the queue for good. */
  readonly onDeleted: (message: ReceivedMessage) => void;
}

/**
 * A queue as the event source of a function: batches of what is visible, several at once, and what the function did not
 * report as failed is deleted; what it did comes back when its visibility timeout is over.
 */
export class Consumer<M> {
  readonly #sim: Simulation;
  readonly #queue: MemoryQueue<M>;
  readonly #options: ConsumerOptions;
  #working = 0;
  #cancelWake = () => {};
  #wakesAtMs = Number.POSITIVE_INFINITY;

  constructor(sim: Simulation, queue: MemoryQueue<M>, options: ConsumerOptions) {
    this.#sim = sim;
    this.#queue = queue;
    this.#options = options;
  }

  /** Something may have become visible. */
  wake(): void {
    const nextMs = this.#queue.nextVisibleAtMs();
    if (nextMs === undefined || this.#working >= this.#options.concurrency) return;
    const atMs = Math.max(nextMs, this.#sim.nowMs) + this.#sim.random.int(1, 200);
    if (atMs >= this.#wakesAtMs) return;
    this.#cancelWake();
    this.#wakesAtMs = atMs;
    this.#cancelWake = this.#sim.after(atMs - this.#sim.nowMs, `${this.#options.name} polled`, () => {
      this.#wakesAtMs = Number.POSITIVE_INFINITY;
      this.#receive();
    });
  }

  #receive(): void {
    const { random, faults } = this.#sim;
    const batch = this.#queue.receive(random.int(1, this.#options.batchSize), (all) => random.shuffled(all));
    for (const { id } of batch) {
      if (faults.strikes("duplicate_delivery")) this.#queue.setVisibility(id, 0);
      else if (faults.strikes("visibility_expiry")) this.#queue.setVisibility(id, random.int(100, 20_000));
    }
    if (batch.length > 0) void this.#invoke(batch);
    // An empty answer for messages that went to the dead letters, or whose group waits: look again later.
    if (batch.length > 0 || (this.#queue.nextVisibleAtMs() ?? 0) > this.#sim.nowMs) this.wake();
    else if (this.#queue.length > 0) this.#sim.after(20_000, `${this.#options.name} idle`, () => this.wake());
  }

  async #invoke(batch: readonly ReceivedMessage[]): Promise<void> {
    const { name, work, onDeleted } = this.#options;
    const timeoutMs = this.#timeoutMs();
    this.#working += 1;
    const ended = await Process.run(this.#sim, name, timeoutMs, (process) => work(process, batch));
    this.#working -= 1;
    const failed = ended.how === "done" ? ended.value : batch.map(({ id }) => id);
    for (const message of batch) {
      if (failed.includes(message.id) || this.#sim.faults.strikes("lost_delete")) continue;
      this.#queue.delete(message.id);
      onDeleted(message);
    }
    this.wake();
  }

  #timeoutMs(): number {
    const { timeoutMs, reserveMs } = this.#options;
    return this.#sim.faults.strikes("short_timeout") ? reserveMs + this.#sim.random.int(100, 5_000) : timeoutMs;
  }
}
