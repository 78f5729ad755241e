import type { Delivery } from "../../infra/local/engines/local-queue.ts";

let made = 0;

/** So many messages of a group, as a queue hands them out. */
export const deliveries = (group: string, count: number): Delivery[] =>
  Array.from({ length: count }, () => {
    const messageId = `m${made++}`;
    const message = {
      messageId,
      messageGroupId: group,
      body: "",
      md5OfBody: "",
      messageAttributes: {},
      md5OfMessageAttributes: "",
      sentTimestamp: 0,
      approximateReceiveCount: 1,
    };
    return { receiptHandle: messageId, message };
  });
