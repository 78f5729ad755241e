import { SendMessageBatchCommand, SQSClient } from "@aws-sdk/client-sqs";
import { ScoutsError } from "../../events/errors.ts";
import type { Outgoing, Queue } from "../ports/queue.ts";
import { answeredInTime } from "./answered-in-time.ts";
import { awsFailure } from "./failures.ts";
import { withoutRequestLog } from "./without-request-log.ts";

/** SQS takes ten messages a request. */
const batchSize = 10;

/** {@link Queue} on SQS; full batches, and what a batch could not take fails the whole call. */
export class SqsQueue<M> implements Queue<M> {
  readonly #client: SQSClient;
  readonly #url: string;
  readonly #fifo: boolean;

  constructor(url: string, client: SQSClient = withoutRequestLog(new SQSClient(answeredInTime()))) {
    this.#url = url;
    this.#fifo = url.endsWith(".fifo");
    this.#client = client;
  }

  async send(messages: readonly Outgoing<M>[]): Promise<void> {
    for (let start = 0; start < messages.length; start += batchSize) {
      await this.#sendBatch(messages.slice(start, start + batchSize));
    }
  }

  async #sendBatch(messages: readonly Outgoing<M>[]): Promise<void> {
    const Entries = messages.map((message, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify(message.body),
      MessageGroupId: message.group,
      // A standard queue refuses what only FIFO knows; the names of those end so (SQS, CreateQueue).
      ...(message.dedupeId === undefined || !this.#fifo ? {} : { MessageDeduplicationId: message.dedupeId }),
      ...(message.delaySeconds === undefined ? {} : { DelaySeconds: message.delaySeconds }),
    }));
    let failed: number;
    try {
      const answer = await this.#client.send(new SendMessageBatchCommand({ QueueUrl: this.#url, Entries }));
      failed = answer.Failed?.length ?? 0;
    } catch (error) {
      throw awsFailure(error, "queue_unavailable");
    }
    if (failed > 0) throw new ScoutsError("queue_unavailable", { data: { failed } });
  }
}
