import type { Delivery } from "../engines/local-queue.ts";

/** Whose message it is: the first part of its group (`usr_…` on standard queues, `usr_….sct_…` on Sync). */
export function personOf(group: string): string {
  const end = group.indexOf(".");
  return end < 0 ? group : group.slice(0, end);
}

/** One for each message. */
export function peopleOf(deliveries: readonly Delivery[]): string[] {
  return deliveries.map(({ message }) => personOf(message.messageGroupId ?? ""));
}
