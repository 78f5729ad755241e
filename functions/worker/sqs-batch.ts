import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import type * as z from "zod";
import { type Outcome, unsettled } from "../../shared/outcome/outcome.ts";
import type { Received } from "../../shared/scouts/triage/triage-batch.ts";
import { log } from "../log.ts";

/** A message as the queue handed it out. */
export interface Parsed<M> extends Received<M> {
  /** The queue's own id: the same in every delivery of the message. */
  readonly messageId: string;
}

/**
 * A Lambda handler for a queue: parses the records, hands them over as one batch and reports those whose outcome is
 * `retry`, and those without one. A record that is not of the contract is reported as well, so that it ends in the
 * dead-letter queue; and when the batch as a whole fails, so does every record of it.
 */
export function queueHandler<S extends z.ZodType>(
  schema: S,
  work: (batch: readonly Parsed<z.infer<S>>[], remainingMs: () => number) => Promise<readonly Outcome[]>,
): (event: SQSEvent, context: Context) => Promise<SQSBatchResponse> {
  return async (event, context) => {
    const failed = new Set<string>();
    const batch = event.Records.flatMap((record) => {
      const parsed = parse(schema, record);
      if (!parsed) failed.add(record.messageId);
      return parsed ?? [];
    });
    try {
      const outcomes = await work(batch, () => context.getRemainingTimeInMillis());
      for (const [index, message] of batch.entries()) {
        if ((outcomes[index] ?? unsettled).kind === "retry") failed.add(message.messageId);
      }
    } catch (error) {
      log.error("batch_failed", error, { messages: batch.length });
      for (const message of batch) failed.add(message.messageId);
    }
    return { batchItemFailures: [...failed].map((itemIdentifier) => ({ itemIdentifier })) };
  };
}

function parse<S extends z.ZodType>(schema: S, record: SQSRecord): Parsed<z.infer<S>> | undefined {
  const receiveCount = Number(record.attributes.ApproximateReceiveCount);
  try {
    return { body: schema.parse(JSON.parse(record.body)), receiveCount, messageId: record.messageId };
  } catch (error) {
    log.error("invalid_message", error, { receiveCount });
    return undefined;
  }
}
