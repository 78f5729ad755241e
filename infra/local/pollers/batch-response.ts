import type { Delivery } from "../engines/local-queue.ts";

/**
 * Which deliveries of a batch failed, read from what the handler answered as Lambda reads it ("Reporting batch item
 * failures" in the Lambda developer guide): nothing or an empty list is success; an identifier that is empty, null,
 * misspelt or of another message fails the whole batch.
 *
 * Of a FIFO queue, everything of a group after its first failure fails too, so that order holds even when a handler
 * lists only the message that failed.
 */
export function failedDeliveries(response: unknown, deliveries: Delivery[], fifo: boolean): Delivery[] {
  if (typeof response !== "object" || response === null || !("batchItemFailures" in response)) return [];
  const failures = response.batchItemFailures;
  if (failures === null || failures === undefined) return [];
  if (!Array.isArray(failures)) return deliveries;
  const failed = new Set<string>();
  for (const failure of failures) {
    const identifier: unknown = failure?.itemIdentifier;
    if (typeof identifier !== "string") return deliveries;
    failed.add(identifier);
  }
  const known = new Set(deliveries.map(({ message }) => message.messageId));
  if ([...failed].some((identifier) => !known.has(identifier))) return deliveries;
  if (!fifo) return deliveries.filter(({ message }) => failed.has(message.messageId));
  const blocked = new Set<string | undefined>();
  return deliveries.filter(({ message }) => {
    if (failed.has(message.messageId)) blocked.add(message.messageGroupId);
    return blocked.has(message.messageGroupId);
  });
}
