import { ScoutsError } from "../../events/errors.ts";
import type { Outgoing, Queue } from "../../shared/ports/queue.ts";

const dedupeMs = 5 * 60_000;
const maxDelaySeconds = 900;
/** What SQS takes at most in one message, its attributes left out. */
const maxBodyBytes = 1024 * 1024;

export interface QueueSettings {
  readonly visibilityMs: number;
  /** After so many receives the next one moves the message to the dead letters instead. */
  readonly maxReceives: number;
  readonly fifo?: boolean;
}

interface Stored {
  readonly id: string;
  readonly body: string;
  readonly group: string;
  visibleAtMs: number;
  receives: number;
}

/** A message as a consumer gets it. */
export interface ReceivedMessage {
  readonly id: string;
  /** JSON, as it was sent. */
  readonly body: string;
  readonly group: string;
  /** This time included. */
  readonly receiveCount: number;
}

/**
 * {@link Queue} in memory with the semantics of SQS: visibility timeouts, receive counts, redrive to dead letters,
 * delays, FIFO groups of which one batch is out at a time, and five minutes of deduplication within a group
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/).
 */
export class MemoryQueue<M> implements Queue<M> {
  readonly #settings: QueueSettings;
  readonly #clock: () => number;
  readonly #deduped = new Map<string, number>();
  #messages: Stored[] = [];
  #dead: Stored[] = [];
  #serial = 0;

  constructor(settings: QueueSettings, clock: () => number) {
    this.#settings = settings;
    this.#clock = clock;
  }

  async send(messages: readonly Outgoing<M>[]): Promise<void> {
    for (const message of messages) this.#store(message);
  }

  /**
   * Hands out messages that are visible, at most `limit`, and hides them for the visibility timeout.
   *
   * @param order in which a standard queue, which promises none, offers its messages
   */
  receive(limit: number, order: <T>(candidates: readonly T[]) => readonly T[] = (all) => all): ReceivedMessage[] {
    const nowMs = this.#clock();
    const visible = this.#messages.filter((message) => message.visibleAtMs <= nowMs);
    const received: ReceivedMessage[] = [];
    for (const message of this.#settings.fifo ? this.#heads(nowMs) : order(visible)) {
      if (received.length === limit) break;
      message.receives += 1;
      if (message.receives > this.#settings.maxReceives) {
        this.#messages = this.#messages.filter((each) => each !== message);
        this.#dead.push(message);
        continue;
      }
      message.visibleAtMs = nowMs + this.#settings.visibilityMs;
      const { id, body, group, receives } = message;
      received.push({ id, body, group, receiveCount: receives });
    }
    return received;
  }

  delete(id: string): void {
    this.#messages = this.#messages.filter((message) => message.id !== id);
  }

  setVisibility(id: string, afterMs: number): void {
    const message = this.#messages.find((each) => each.id === id);
    if (message) message.visibleAtMs = this.#clock() + afterMs;
  }

  /** Moves the dead letters back, as new messages. */
  redrive(): number {
    const moved = this.#dead;
    this.#dead = [];
    for (const message of moved) this.#messages.push({ ...message, receives: 0, visibleAtMs: this.#clock() });
    return moved.length;
  }

  /** When the next message becomes visible; undefined when there is none. */
  nextVisibleAtMs(): number | undefined {
    return this.#messages.length === 0 ? undefined : Math.min(...this.#messages.map((each) => each.visibleAtMs));
  }

  /** Bodies of everything held: waiting, out with a consumer, dead. */
  bodies(): string[] {
    return [...this.#messages, ...this.#dead].map((message) => message.body);
  }

  get length(): number {
    return this.#messages.length;
  }

  get deadLength(): number {
    return this.#dead.length;
  }

  /** Per group all of its messages in order, unless one of them is out: then the group waits. */
  #heads(nowMs: number): Stored[] {
    const blocked = new Set<string>();
    return this.#messages.filter((message) => {
      if (message.visibleAtMs > nowMs) blocked.add(message.group);
      return !blocked.has(message.group);
    });
  }

  #store({ body, group, dedupeId, delaySeconds = 0 }: Outgoing<M>): void {
    const text = JSON.stringify(body);
    const nowMs = this.#clock();
    if (delaySeconds < 0 || delaySeconds > maxDelaySeconds || !Number.isInteger(delaySeconds)) {
      throw new ScoutsError("queue_unavailable", { data: { delaySeconds } });
    }
    if (Buffer.byteLength(text) > maxBodyBytes) throw new ScoutsError("queue_unavailable");
    if (this.#settings.fifo) {
      if (dedupeId === undefined || delaySeconds > 0) throw new ScoutsError("queue_unavailable");
      const seenAtMs = this.#deduped.get(`${group}/${dedupeId}`);
      if (seenAtMs !== undefined && nowMs - seenAtMs < dedupeMs) return;
      this.#deduped.set(`${group}/${dedupeId}`, nowMs);
    }
    this.#serial += 1;
    const visibleAtMs = nowMs + delaySeconds * 1000;
    this.#messages.push({ id: `m${this.#serial}`, body: text, group, visibleAtMs, receives: 0 });
  }
}
