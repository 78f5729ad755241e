import {
  type BatchResultErrorEntry,
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { ScoutsError } from "../../events/errors.ts";
import { exponentialDelayMs } from "../outcome/delays.ts";
import { type RetryPorts, systemRetries } from "../ports/clock.ts";
import type { Outgoing, Queue } from "../ports/queue.ts";
import { answeredInTime } from "./answered-in-time.ts";
import { awsFailure } from "./failures.ts";
import { withoutRequestLog } from "./without-request-log.ts";

/** SQS takes ten messages a request. */
const batchSize = 10;
/**
 * A request that is answered may have been taken in part (SQS API, `SendMessageBatch`: "check for batch errors even when the call
 * returns 200"). What its own side could not take is sent again after a pause that grows, at random up to 50, 100, 200 ms.
 */
const firstPauseMs = 50;
const mostPauses = 3;

/** {@link Queue} on SQS; full batches, and what a batch could not take in the end fails the whole call. */
export class SqsQueue<M> implements Queue<M> {
  readonly #client: SQSClient;
  readonly #url: string;
  readonly #fifo: boolean;
  readonly #retries: RetryPorts;

  constructor(
    url: string,
    client: SQSClient = withoutRequestLog(new SQSClient(answeredInTime())),
    retries: RetryPorts = systemRetries,
  ) {
    this.#url = url;
    this.#retries = retries;
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
    let left = Entries;
    for (let pauses = 0; left.length > 0; pauses += 1) {
      const failed = await this.#ask(left);
      const isOurs = failed.some(({ SenderFault }) => SenderFault === true);
      if (failed.length > 0 && (isOurs || pauses === mostPauses)) {
        throw new ScoutsError("queue_unavailable", { data: { failed: failed.length } });
      }
      left = left.filter(({ Id }) => failed.some((each) => each.Id === Id));
      if (left.length > 0) await this.#retries.sleep(this.#retries.random() * exponentialDelayMs(pauses, firstPauseMs));
    }
  }

  /** @returns what could not be taken */
  async #ask(Entries: SendMessageBatchRequestEntry[]): Promise<readonly BatchResultErrorEntry[]> {
    try {
      const answer = await this.#client.send(new SendMessageBatchCommand({ QueueUrl: this.#url, Entries }));
      return answer.Failed ?? [];
    } catch (error) {
      throw awsFailure(error, "queue_unavailable");
    }
  }
}
