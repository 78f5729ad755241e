import type { EngineMessage, EngineQueue } from "./fauxqs.ts";

/** The parts of a queue of the engine in which messages wait. */
export type Waiting = Pick<EngineQueue, "messages" | "fifoMessages" | "fifoLockedGroups">;

/** Which groups may be served. */
export type Admission = (group: string) => boolean;

/** Above this many remembered groups, those without messages are forgotten. */
const rememberedGroups = 10_000;

/**
 * Whose turn it is. SQS serves a queue whose messages carry `MessageGroupId` so that a busy tenant does not delay the
 * others (SQS developer guide, "Amazon SQS fair queues"); here groups simply take turns, least recently served first.
 */
export class FairBacklog {
  readonly #servedAt = new Map<string, number>();
  #turn = 0;

  /** Removes and returns up to `count` messages of a standard queue, no group before its turn. */
  takeFair(engine: Waiting, count: number, admits: Admission): EngineMessage[] {
    const ready = engine.messages;
    const groups = new Map<string, EngineMessage[]>();
    for (const message of ready) {
      const key = message.messageGroupId ?? "";
      const waiting = groups.get(key);
      if (!waiting) groups.set(key, admits(key) ? [message] : []);
      else if (waiting.length > 0 && waiting.length < count) waiting.push(message);
    }
    const taken = new Set<EngineMessage>();
    const line = this.#isolationOrder(groups);
    for (let round = 0; taken.size < count && round < count; round++) {
      for (const [key, waiting] of line) {
        const message = waiting[round];
        if (!message || taken.size >= count) continue;
        taken.add(message);
        this.#serve(key);
      }
    }
    engine.messages = taken.size === ready.length ? [] : ready.filter((message) => !taken.has(message));
    this.#forget(groups);
    return [...taken];
  }

  /** Removes and returns up to `count` messages of a FIFO queue, each group in order, none of a locked group. */
  takeOrdered(engine: Waiting, count: number, admits: Admission): EngineMessage[] {
    const taken: EngineMessage[] = [];
    const free = new Map([...engine.fifoMessages].filter(([key]) => !engine.fifoLockedGroups.has(key) && admits(key)));
    for (const [key, waiting] of this.#isolationOrder(free)) {
      if (taken.length >= count) break;
      taken.push(...waiting.splice(0, count - taken.length));
      if (waiting.length === 0) engine.fifoMessages.delete(key);
      this.#serve(key);
    }
    this.#forget(engine.fifoMessages);
    return taken;
  }

  #isolationOrder(groups: Map<string, EngineMessage[]>): [string, EngineMessage[]][] {
    return [...groups].sort(([a], [b]) => (this.#servedAt.get(a) ?? 0) - (this.#servedAt.get(b) ?? 0));
  }

  #serve(key: string): void {
    this.#turn += 1;
    this.#servedAt.set(key, this.#turn);
  }

  #forget(present: Map<string, unknown>): void {
    if (this.#servedAt.size <= rememberedGroups) return;
    for (const key of this.#servedAt.keys()) if (!present.has(key)) this.#servedAt.delete(key);
  }
}
