import { account, region } from "../components/names.ts";
import type { Delivery } from "../engines/local-queue.ts";
import type { QueueNode } from "../graph.ts";

const dataTypes = (value: { DataType: string; StringValue?: string | undefined; BinaryValue?: unknown }) => ({
  ...(value.StringValue === undefined ? {} : { stringValue: value.StringValue }),
  ...(value.BinaryValue === undefined ? {} : { binaryValue: String(value.BinaryValue) }),
  stringListValues: [],
  binaryListValues: [],
  dataType: value.DataType,
});

/** The event Lambda makes of a batch of messages (Lambda developer guide, "Using Lambda with Amazon SQS"). */
export function sqsEvent(node: QueueNode, deliveries: Delivery[]) {
  return {
    Records: deliveries.map(({ message, receiptHandle }) => ({
      messageId: message.messageId,
      receiptHandle,
      body: message.body,
      attributes: {
        ApproximateReceiveCount: String(message.approximateReceiveCount),
        SentTimestamp: String(message.sentTimestamp),
        ...(message.sequenceNumber === undefined ? {} : { SequenceNumber: message.sequenceNumber }),
        ...(message.messageGroupId === undefined ? {} : { MessageGroupId: message.messageGroupId }),
        SenderId: account,
        ...(message.messageDeduplicationId === undefined
          ? {}
          : { MessageDeduplicationId: message.messageDeduplicationId }),
        ApproximateFirstReceiveTimestamp: String(message.approximateFirstReceiveTimestamp),
      },
      messageAttributes: Object.fromEntries(
        Object.entries(message.messageAttributes).map(([name, value]) => [name, dataTypes(value)]),
      ),
      md5OfBody: message.md5OfBody,
      ...(message.md5OfMessageAttributes ? { md5OfMessageAttributes: message.md5OfMessageAttributes } : {}),
      eventSource: "aws:sqs",
      eventSourceARN: node.arn,
      awsRegion: region,
    })),
  };
}
