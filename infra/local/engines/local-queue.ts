import type { FaultInjector } from "../faults.ts";
import type { QueueNode } from "../graph.ts";
import { type Admission, FairBacklog } from "./fair-backlog.ts";
import type { EngineMessage, EngineQueue } from "./fauxqs.ts";
import { forget, hold, letGo, putBack, sortGroups } from "./messaging/engine-memory.ts";
import type { Together } from "./messaging/together.ts";
import { SteppedClock } from "./stepped-clock.ts";

export interface Delivery {
  receiptHandle: string;
  message: EngineMessage;
}

export interface Depth {
  visible: number;
  inFlight: number;
  delayed: number;
}

export interface LocalQueueOptions {
  readonly deadLetters: () => EngineQueue | undefined;
  readonly faults?: FaultInjector | undefined;
  readonly together: Together;
  /** How long a message that is sent with a delay really waits, in milliseconds; as long as asked unless told. */
  readonly delayMs?: (askedMs: number) => number;
}

/** `setTimeout` waits no longer than this (2^31 - 1 ms). */
const longestTimerMs = 2_147_483_647;
/** The longest delay that SQS gives a message. */
const longestDelayMs = 900_000;

/**
 * One queue of the engine with what the engine lacks: fairness by message group, several messages of a FIFO group in
 * one batch, a dead-letter move that a kill cannot tear apart, and word when something can be received.
 *
 * The engine's own HTTP actions go through the same methods: they are put in place of the engine's on its queue object.
 */
export class LocalQueue {
  readonly node: QueueNode;
  readonly #engine: EngineQueue;
  readonly #faults: FaultInjector | undefined;
  readonly #deadLetters: () => EngineQueue | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #together: Together;
  readonly #backlog = new FairBacklog();
  readonly #settle: () => void;
  readonly #clock = new SteppedClock();
  #timer: NodeJS.Timeout | undefined;
  #wakeAtMs = Number.POSITIVE_INFINITY;

  constructor(node: QueueNode, engine: EngineQueue, options: LocalQueueOptions) {
    const { deadLetters, faults, together, delayMs = (askedMs) => askedMs } = options;
    this.node = node;
    this.#engine = engine;
    this.#deadLetters = deadLetters;
    this.#faults = faults;
    this.#together = together;
    const { enqueue, changeVisibility, deleteMessage, processTimers } = engine;
    this.#settle = () => {
      this.#keepPace();
      const inFlight = engine.inflightMessages.size;
      processTimers.call(engine);
      // The engine puts what comes back in front one by one, which reverses several messages of one group.
      if (engine.isFifo() && engine.inflightMessages.size < inFlight) sortGroups(engine);
    };
    engine.processTimers = this.#settle;
    engine.enqueue = (message) => {
      this.#keepPace();
      const nowMs = Date.now();
      if (message.delayUntil !== undefined) message.delayUntil = nowMs + delayMs(message.delayUntil - nowMs);
      together.run(() => {
        together.orElse(() => forget(engine, message));
        enqueue.call(engine, message);
      });
      if (message.delayUntil !== undefined) this.#wakeAt(message.delayUntil);
      this.#changed();
    };
    engine.changeVisibility = (receiptHandle, seconds) => {
      this.#keepPace();
      const entry = engine.inflightMessages.get(receiptHandle);
      const { visibilityDeadline = 0 } = entry ?? {};
      together.run(() => {
        if (entry) together.orElse(() => Object.assign(entry, { visibilityDeadline }));
        // Exactly 0 takes a path of the engine that fails on its own database (a NOT NULL column): a millisecond does not.
        changeVisibility.call(engine, receiptHandle, Math.max(seconds, 0.001));
      });
      this.#wakeAt(engine.inflightMessages.get(receiptHandle)?.visibilityDeadline);
    };
    engine.deleteMessage = (receiptHandle) => {
      const deleted = together.run(() => {
        const entry = engine.inflightMessages.get(receiptHandle);
        const isDeleted = deleteMessage.call(engine, receiptHandle);
        if (entry) together.orElse(() => hold(engine, entry));
        return isDeleted;
      });
      this.#changed();
      return deleted;
    };
    engine.dequeue = (maxCount, visibilitySeconds) =>
      this.receive(maxCount, visibilitySeconds).map(({ receiptHandle, message }) => ({
        MessageId: message.messageId,
        ReceiptHandle: receiptHandle,
        MD5OfBody: message.md5OfBody,
        Body: message.body,
        ...(message.md5OfMessageAttributes ? { MD5OfMessageAttributes: message.md5OfMessageAttributes } : {}),
        ...(Object.keys(message.messageAttributes).length > 0 ? { MessageAttributes: message.messageAttributes } : {}),
      }));
    // A delay that is longer than any was given by a clock that has been set back since the home last ran.
    const latestMs = Date.now() + longestDelayMs;
    for (const message of engine.delayedMessages) message.delayUntil = Math.min(message.delayUntil ?? 0, latestMs);
    for (const message of engine.delayedMessages) this.#wakeAt(message.delayUntil);
    for (const entry of engine.inflightMessages.values()) this.#wakeAt(entry.visibilityDeadline);
  }

  /** What waits until a time of day waits no longer for a clock that is set back. */
  #keepPace(): void {
    const backMs = this.#clock.setBackMs();
    if (backMs === 0) return;
    for (const entry of this.#engine.inflightMessages.values()) entry.visibilityDeadline -= backMs;
    for (const message of this.#engine.delayedMessages) {
      if (message.delayUntil !== undefined) message.delayUntil -= backMs;
    }
    this.#wakeAtMs -= backMs;
  }

  /** Calls back whenever something was added, came back, or went. */
  onChange(listener: () => void): void {
    this.#listeners.add(listener);
  }

  depth(): Depth {
    const count = (name: Parameters<EngineQueue["getAttribute"]>[0]) => Number(this.#engine.getAttribute(name) ?? 0);
    return {
      visible: count("ApproximateNumberOfMessages"),
      inFlight: count("ApproximateNumberOfMessagesNotVisible"),
      delayed: count("ApproximateNumberOfMessagesDelayed"),
    };
  }

  /** Takes up to `max` messages out of sight. What was received too often goes to the dead-letter queue instead. */
  receive(
    max: number,
    visibilitySeconds = this.node.visibilityTimeoutSeconds,
    admits: Admission = () => true,
  ): Delivery[] {
    this.#settle();
    return this.#together.run(() => {
      const deliveries: Delivery[] = [];
      while (deliveries.length < max) {
        const taken = this.#take(max - deliveries.length, admits);
        if (taken.length === 0) break;
        this.#together.orElse(() => putBack(this.#engine, taken));
        for (const message of taken) {
          const delivery = this.#deliver(message, visibilitySeconds);
          if (delivery) deliveries.push(delivery);
        }
      }
      return deliveries;
    });
  }

  /** Keeps deliveries out of sight for so long (milliseconds) by memory alone, whatever its disk says. */
  keep(deliveries: readonly Delivery[], forMs: number): void {
    const untilMs = Date.now() + forMs;
    for (const { receiptHandle } of deliveries) {
      const entry = this.#engine.inflightMessages.get(receiptHandle);
      if (entry) entry.visibilityDeadline = Math.max(entry.visibilityDeadline, untilMs);
    }
  }

  #take(count: number, admits: Admission): EngineMessage[] {
    if (this.#engine.isFifo()) return this.#backlog.takeOrdered(this.#engine, count, admits);
    const engine = this.#engine;
    if (this.#faults) engine.messages = this.#faults.shuffled(engine.messages);
    return this.#backlog.takeFair(engine, count, admits);
  }

  #deliver(message: EngineMessage, visibilitySeconds: number): Delivery | undefined {
    const engine = this.#engine;
    const now = Date.now();
    const { approximateReceiveCount, approximateFirstReceiveTimestamp } = message;
    this.#together.orElse(() => Object.assign(message, { approximateReceiveCount, approximateFirstReceiveTimestamp }));
    message.approximateReceiveCount += 1;
    message.approximateFirstReceiveTimestamp ??= now;
    const deadLetters = this.node.redrive && this.#deadLetters();
    if (deadLetters && message.approximateReceiveCount > (this.node.redrive?.maxReceiveCount ?? 0)) {
      // One statement: the row is replaced under the other queue's name, so a kill leaves it in one of the two.
      deadLetters.enqueue(message);
      this.#changed();
      return undefined;
    }
    const receiptHandle = crypto.randomUUID();
    const visibilityDeadline = now + visibilitySeconds * 1000;
    const entry = { message, receiptHandle, visibilityDeadline };
    this.#together.orElse(() => letGo(engine, entry));
    hold(engine, entry);
    engine.persistence?.updateMessageInflight(
      message.messageId,
      receiptHandle,
      visibilityDeadline,
      message.approximateReceiveCount,
      message.approximateFirstReceiveTimestamp,
    );
    this.#wakeAt(visibilityDeadline);
    return { receiptHandle, message };
  }

  /**
   * Ends deliveries: the `done` are deleted, each of the others becomes visible again after a delay (milliseconds).
   *
   * @throws what the disk says; all of them are under way as before
   */
  settle(done: readonly Delivery[], again: Iterable<Delivery>, delayMs: (delivery: Delivery) => number): void {
    this.#together.run(() => {
      for (const { receiptHandle } of done) this.#engine.deleteMessage(receiptHandle);
      for (const delivery of again) this.#engine.changeVisibility(delivery.receiptHandle, delayMs(delivery) / 1000);
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#listeners.clear();
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  /** One timer a queue, set to the earliest moment at which something becomes visible by itself. */
  #wakeAt(atMs: number | undefined): void {
    if (atMs === undefined || atMs >= this.#wakeAtMs) return;
    this.#wakeAtMs = atMs;
    clearTimeout(this.#timer);
    const delayMs = Math.min(Math.max(0, atMs - Date.now()), longestTimerMs);
    this.#timer = setTimeout(() => this.#wake(), delayMs);
  }

  #wake(): void {
    this.#wakeAtMs = Number.POSITIVE_INFINITY;
    this.#settle();
    for (const entry of this.#engine.inflightMessages.values()) this.#wakeAt(entry.visibilityDeadline);
    for (const message of this.#engine.delayedMessages) this.#wakeAt(message.delayUntil);
    for (const group of this.#engine.fifoDelayed.values())
      for (const message of group) this.#wakeAt(message.delayUntil);
    this.#changed();
  }
}
