import type { QueueNode } from "../graph.ts";
import { type FunctionArgs, functionFrom } from "./function.ts";
import type { Link, Linkable } from "./links.ts";
import { account, arn, seconds } from "./names.ts";
import { type Input, known, Output } from "./output.ts";
import { registry, type Transform, transformed } from "./registry.ts";

/** Arguments of the underlying `aws.sqs.Queue` that a transform may change. */
interface NativeQueue {
  visibilityTimeoutSeconds: number;
  delaySeconds: number;
  messageRetentionSeconds: number;
  deduplicationScope?: string;
  fifoThroughputLimit?: string;
}

export interface QueueArgs {
  fifo?: boolean | { contentBasedDeduplication?: boolean };
  visibilityTimeout?: string;
  delay?: string;
  dlq?: Input<string> | { queue: Input<string>; retry: number };
  transform?: { queue?: Transform<NativeQueue> };
}

interface NativeMapping {
  scalingConfig?: { maximumConcurrency: number };
}

export interface SubscriberArgs {
  batch?: { size?: number; window?: string; partialResponses?: boolean };
  transform?: { eventSourceMapping?: Transform<NativeMapping> };
}

const redrive = (dlq: QueueArgs["dlq"]) => {
  if (dlq === undefined) return {};
  const { queue, retry } = typeof dlq === "string" || dlq instanceof Output ? { queue: dlq, retry: 3 } : dlq;
  return { redrive: { deadLetterArn: known(queue), maxReceiveCount: retry } };
};

/** `sst.aws.Queue`, with SST's own defaults: visibility 30 s, four days of retention (SQS's). */
export class Queue implements Linkable {
  readonly #node: QueueNode;

  constructor(name: string, args: QueueArgs = {}) {
    const fifo = Boolean(args.fifo);
    const queueName = fifo ? `${name}.fifo` : name;
    const native = transformed<NativeQueue>(
      {
        visibilityTimeoutSeconds: seconds(args.visibilityTimeout ?? "30 seconds"),
        delaySeconds: seconds(args.delay ?? "0 seconds"),
        messageRetentionSeconds: 345_600,
      },
      args.transform?.queue,
    );
    this.#node = registry.add(registry.graph().queues, {
      name,
      queueName,
      url: `${registry.addresses.sqs}/${account}/${queueName}`,
      arn: arn("sqs", queueName),
      fifo,
      contentBasedDeduplication: typeof args.fifo === "object" && args.fifo.contentBasedDeduplication === true,
      ...native,
      ...redrive(args.dlq),
    });
  }

  get arn(): Output<string> {
    return new Output(this.#node.arn);
  }
  get url(): Output<string> {
    return new Output(this.#node.url);
  }
  get nodes() {
    return { queue: { name: new Output(this.#node.queueName), arn: this.arn, url: this.url } };
  }

  /** @returns as SST does, the function the messages go to */
  subscribe(subscriber: Input<string> | FunctionArgs, args: SubscriberArgs = {}) {
    if (this.#node.subscriber) throw new Error(`The queue "${this.#node.name}" has two subscribers.`);
    const mapping = transformed<NativeMapping>({}, args.transform?.eventSourceMapping);
    const name = functionFrom(`${this.#node.name}Subscriber`, subscriber);
    this.#node.subscriber = {
      function: name,
      batchSize: args.batch?.size ?? 10,
      windowSeconds: seconds(args.batch?.window ?? "0 seconds"),
      partialResponses: args.batch?.partialResponses ?? false,
      ...(mapping.scalingConfig ? { maximumConcurrency: mapping.scalingConfig.maximumConcurrency } : {}),
    };
    // SST grants the event source what it needs; the poller calls in the function's name on AWS too.
    registry.graph().functions[name]?.permissions.push({
      actions: [
        "sqs:ChangeMessageVisibility",
        "sqs:DeleteMessage",
        "sqs:GetQueueAttributes",
        "sqs:GetQueueUrl",
        "sqs:ReceiveMessage",
      ],
      resources: [this.#node.arn],
    });
    const functionName = registry.graph().functions[name]?.functionName ?? name;
    return new Output({ nodes: { function: { name: new Output(functionName) } } });
  }

  link(): Link {
    return {
      name: this.#node.name,
      secret: false,
      properties: { url: this.#node.url },
      permissions: [{ actions: ["sqs:*"], resources: [this.#node.arn] }],
    };
  }
}
