import { type After, systemAfter } from "../../../shared/ports/clock.ts";
import { againMs, type ToldOnce } from "../../standins/told-once.ts";
import type { Delivery, LocalQueue } from "../engines/local-queue.ts";
import type { Meter } from "../engines/meter.ts";
import type { FaultInjector } from "../faults.ts";
import type { QueueNode } from "../graph.ts";
import type { FunctionPool } from "../host/function-pool.ts";
import { failedDeliveries } from "./batch-response.ts";
import type { GivingWay } from "./giving-way.ts";
import { Headroom } from "./headroom.ts";
import { personOf } from "./person.ts";
import { sqsEvent } from "./sqs-event.ts";

/**
 * Lambda leaves what failed invisible until the visibility timeout (minutes). One machine with one person waiting
 * brings it back after this much per receive (docs/decisions/0010).
 */
const backOffPerReceiveMs = 1000;

export interface QueuePollerOptions {
  queue: Pick<LocalQueue, "node" | "receive" | "settle" | "keep" | "depth" | "onChange">;
  subscriber: NonNullable<QueueNode["subscriber"]>;
  pool: Pick<FunctionPool, "size" | "invoke">;
  meter: Meter;
  /** The home's one. */
  givingWay: GivingWay;
  faults: FaultInjector | undefined;
  /** The home's one, for what the disk of its queues refuses. */
  told: ToldOnce;
  after?: After;
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
  /** Since when a batch gives way, by a clock that nobody sets. */
  #heldSinceMs: number | undefined;
  #holdTimer: NodeJS.Timeout | undefined;
  /** Set while the disk has refused what is received. */
  #stopWaiting: (() => void) | undefined;
  #stopped = false;

  constructor(options: QueuePollerOptions) {
    this.#options = options;
    const { maximumConcurrency = Number.POSITIVE_INFINITY } = options.subscriber;
    this.#concurrency = Math.min(maximumConcurrency, options.pool.size);
    this.#backOffMs = options.backOffMs ?? ((receiveCount) => receiveCount * backOffPerReceiveMs);
    options.queue.onChange(() => this.#wake());
    options.givingWay.onEnd(() => {
      if (this.#heldSinceMs !== undefined) this.#wake();
    });
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
    clearTimeout(this.#holdTimer);
    this.#stopWaiting?.();
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
      const deliveries = this.#received();
      if (deliveries.length === 0) return;
      meter.count("sqs", "ReceiveMessage");
      this.#begin(deliveries);
      if (faults?.duplicatesBatch()) void this.#options.pool.invoke(sqsEvent(queue.node, deliveries));
    }
  }

  /** None where the disk is full: all wait as before, and are looked for again. Thrown, it would end the home. */
  #received(): Delivery[] {
    if (this.#stopWaiting) return [];
    const { told, after = systemAfter } = this.#options;
    try {
      return this.#receive();
    } catch (error) {
      told.failed(error);
      this.#stopWaiting = after(againMs, () => {
        this.#stopWaiting = undefined;
        this.#wake();
      });
      return [];
    }
  }

  #receive(): Delivery[] {
    const { queue, subscriber, givingWay } = this.#options;
    const isLast = this.#running === this.#concurrency - 1;
    const nowMs = performance.now();
    const heldSinceMs = this.#heldSinceMs ?? nowMs;
    const waitsOn = nowMs - heldSinceMs < givingWay.longestMs;
    let isHeld = false;
    const deliveries = queue.receive(subscriber.batchSize, undefined, (group) => {
      if (isLast && !this.#headroom.mayTakeLast(group)) return false;
      if (!waitsOn || !givingWay.isDue(personOf(group))) return true;
      isHeld = true;
      return false;
    });
    this.#hold(isHeld ? heldSinceMs : undefined);
    return deliveries;
  }

  #hold(sinceMs: number | undefined): void {
    this.#heldSinceMs = sinceMs;
    clearTimeout(this.#holdTimer);
    if (sinceMs === undefined) return;
    this.#holdTimer = setTimeout(() => this.#wake(), sinceMs + this.#options.givingWay.longestMs - performance.now());
  }

  /** With a batching window, waits until the batch is full or the window has passed since its first message. */
  #batchIsDue(): boolean {
    const { queue, subscriber } = this.#options;
    const { visible } = queue.depth();
    if (visible === 0) return false;
    if (subscriber.windowSeconds === 0 || visible >= subscriber.batchSize) return true;
    const now = performance.now();
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
    this.#options.givingWay.begin(deliveries);
    void this.#handle(deliveries).finally(() => {
      this.#running -= 1;
      this.#headroom.end(deliveries);
      this.#options.givingWay.end(deliveries);
      this.#wake();
    });
  }

  async #handle(deliveries: Delivery[]): Promise<void> {
    const { queue, subscriber, pool, meter, faults } = this.#options;
    // Whoever is alone waits for the execution that is at work; nobody waits for another person's.
    const isPatient = !this.#headroom.isShared(deliveries);
    const outcome = await pool.invoke(sqsEvent(queue.node, deliveries), { isPatient });
    const reported = subscriber.partialResponses && outcome.status === "success" ? outcome.result : undefined;
    const failed = outcome.status === "success" ? failedDeliveries(reported, deliveries, queue.node.fifo) : deliveries;
    const again = new Set(faults?.losesDelete() ? deliveries : failed);
    const done = deliveries.filter((delivery) => !again.has(delivery));
    if (done.length > 0) meter.count("sqs", "DeleteMessageBatch");
    await this.#settled(done, again);
  }

  /** What is done is done, and comes no second time for a disk that is full for now. */
  async #settled(done: readonly Delivery[], again: ReadonlySet<Delivery>): Promise<void> {
    const { queue, told, after = systemAfter } = this.#options;
    for (;;) {
      try {
        queue.settle(done, again, ({ message }) => this.#backOffMs(message.approximateReceiveCount));
        told.passed();
        return;
      } catch (error) {
        told.failed(error);
      }
      queue.keep(done, 2 * againMs);
      await new Promise<void>((resolve) => void after(againMs, resolve));
      // Its file may be closed: all of them come again at the next start.
      if (this.#stopped) return;
    }
  }
}
