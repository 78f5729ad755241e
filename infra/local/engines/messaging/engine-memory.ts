import type { EngineMessage, EngineQueue } from "../fauxqs.ts";

type InFlight = EngineQueue extends { inflightMessages: Map<string, infer Entry> } ? Entry : never;

/** Takes a message out of sight. */
export function hold(engine: EngineQueue, entry: InFlight): void {
  engine.inflightMessages.set(entry.receiptHandle, entry);
  const group = entry.message.messageGroupId;
  if (engine.isFifo() && group !== undefined) {
    engine.fifoLockedGroups.set(group, (engine.fifoLockedGroups.get(group) ?? 0) + 1);
  }
}

/** Takes {@link hold} back: the message is nowhere then. */
export function letGo(engine: EngineQueue, { receiptHandle, message }: InFlight): void {
  engine.inflightMessages.delete(receiptHandle);
  const group = message.messageGroupId;
  if (!engine.isFifo() || group === undefined) return;
  const left = (engine.fifoLockedGroups.get(group) ?? 1) - 1;
  if (left > 0) engine.fifoLockedGroups.set(group, left);
  else engine.fifoLockedGroups.delete(group);
}

/** Puts messages back that were taken to be delivered. */
export function putBack(engine: EngineQueue, taken: readonly EngineMessage[]): void {
  if (!engine.isFifo()) {
    engine.messages = [...taken, ...engine.messages];
    return;
  }
  for (const message of taken) {
    const group = message.messageGroupId ?? "";
    engine.fifoMessages.set(group, [message, ...(engine.fifoMessages.get(group) ?? [])]);
  }
  sortGroups(engine);
}

/** Takes a message back that was sent: whoever sends it again is heard. */
export function forget(engine: EngineQueue, message: EngineMessage): void {
  const isOther = (each: EngineMessage) => each !== message;
  engine.messages = engine.messages.filter(isOther);
  engine.delayedMessages = engine.delayedMessages.filter(isOther);
  for (const groups of [engine.fifoMessages, engine.fifoDelayed]) {
    for (const [group, messages] of groups) {
      const others = messages.filter(isOther);
      if (others.length > 0) groups.set(group, others);
      else groups.delete(group);
    }
  }
  if (message.messageDeduplicationId !== undefined) engine.deduplicationCache.delete(message.messageDeduplicationId);
}

/** The messages of each group in the order in which they were sent. */
export function sortGroups(engine: EngineQueue): void {
  for (const group of engine.fifoMessages.values()) {
    group.sort((a, b) => ((a.sequenceNumber ?? "") < (b.sequenceNumber ?? "") ? -1 : 1));
  }
}
