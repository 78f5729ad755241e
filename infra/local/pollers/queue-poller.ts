import type { Delivery, LocalQueue } from "../engines/local-queue.ts";
import type { Meter } from "../engines/meter.ts";
import type { FaultInjector } from "../faults.ts";
import type { QueueNode } from "../graph.ts";
import type { FunctionPool } from "../host/function-pool.ts";
import { failedDeliveries } from "./batch-response.ts";
import { Headroom } from "./headroom.ts";
import { sqsEvent } from "./sqs-event.ts";

/**
 * Lambda leaves what failed invisible until the visibility timeout (minutes). One machine with one person waiting
 * brings it back after this much per receive (docs/decisions/0010).
 */
const backOffPerReceiveMs = 1000;

export interface QueuePollerOptions {
  queue: LocalQueue;
  subscriber: NonNullable<QueueNode["subscriber"]>;
  pool: FunctionPool;
  meter: Meter;
  faults: FaultInjector | undefined;
  /** Back-off after a failure for a message received so often, in milliseconds. */
  backOffMs?: (receiveCount: number) => number;
}

/** The event source mapping of one queue: batches in, deletes or returns out. Woken by the queue, never by a clock. */
export class QueuePoller {
  readonly #options: QueuePollerOptions;
  readonly #concurrency: number;
  readonly #headroom = new Headroom();
  readonly #backOffMs: (receiveCount: number) => number;
  #running = 0;
  #scheduled = false;
  #windowEndsAt: number | undefined;
  #windowTimer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: QueuePollerOptions) {
    this.#options = options;
    const { maximumConcurrency = Number.POSITIVE_INFINITY } = options.subscriber;
    this.#concurrency = Math.min(maximumConcurrency, options.pool.size);
    this.#backOffMs = options.backOffMs ?? ((receiveCount) => receiveCount * backOffPerReceiveMs);
    options.queue.onChange(() => this.#wake());
    this.#wake();
  }

  /** Batches under way. */
  get running(): number {
    return this.#running;
  }

  /** Takes no further batch; one under way is still settled. */
  pause(): void {
    this.#stopped = true;
    clearTimeout(this.#windowTimer);
  }

  /** A send of ten messages wakes ten times; one look a turn of the event loop is enough, and makes full batches. */
  #wake(): void {
    if (this.#scheduled || this.#stopped) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#poll();
    });
  }

  #poll(): void {
    const { queue, meter, faults } = this.#options;
    while (!this.#stopped && this.#running < this.#concurrency && this.#batchIsDue()) {
      const deliveries = this.#receive();
      if (deliveries.length === 0) return;
      meter.count("sqs", "ReceiveMessage");
      this.#begin(deliveries);
      if (faults?.duplicatesBatch()) void this.#options.pool.invoke(sqsEvent(queue.node, deliveries));
    }
  }

  #receive(): Delivery[] {
    const { queue, subscriber } = this.#options;
    const isLast = this.#running === this.#concurrency - 1;
    const admits = isLast ? (group: string) => this.#headroom.mayTakeLast(group) : undefined;
    return queue.receive(subscriber.batchSize, undefined, admits);
  }

  /** With a batching window, waits until the batch is full or the window has passed since its first message. */
  #batchIsDue(): boolean {
    const { queue, subscriber } = this.#options;
    const { visible } = queue.depth();
    if (visible === 0) return false;
    if (subscriber.windowSeconds === 0 || visible >= subscriber.batchSize) return true;
    const now = Date.now();
    this.#windowEndsAt ??= now + subscriber.windowSeconds * 1000;
    if (now >= this.#windowEndsAt) {
      this.#windowEndsAt = undefined;
      return true;
    }
    clearTimeout(this.#windowTimer);
    this.#windowTimer = setTimeout(() => this.#wake(), this.#windowEndsAt - now);
    return false;
  }

  #begin(deliveries: Delivery[]): void {
    this.#running += 1;
    this.#headroom.begin(deliveries);
    void this.#handle(deliveries).finally(() => {
      this.#running -= 1;
      this.#headroom.end(deliveries);
      this.#wake();
    });
  }

  async #handle(deliveries: Delivery[]): Promise<void> {
    const { queue, subscriber, pool, meter, faults } = this.#options;
    const outcome = await pool.invoke(sqsEvent(queue.node, deliveries));
    const reported = subscriber.partialResponses && outcome.status === "success" ? outcome.result : undefined;
    const failed = outcome.status === "success" ? failedDeliveries(reported, deliveries, queue.node.fifo) : deliveries;
    const again = new Set(faults?.losesDelete() ? deliveries : failed);
    const done = deliveries.filter((delivery) => !again.has(delivery));
    if (done.length > 0) meter.count("sqs", "DeleteMessageBatch");
    queue.settle(done, again, ({ message }) => this.#backOffMs(message.approximateReceiveCount));
  }
}
