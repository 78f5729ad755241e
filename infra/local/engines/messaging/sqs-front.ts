import { account } from "../../components/names.ts";
import type { Graph } from "../../graph.ts";
import type { EngineApp, EngineMessage, EngineQueue } from "../fauxqs.ts";
import type { RequestAuthorizer } from "../request-authorizer.ts";
import { messagingRoute } from "./messaging-routes.ts";
import type { Together } from "./together.ts";

/** The engine drops `MessageGroupId` on standard queues; it travels as this attribute until the message is stored. */
const groupAttribute = "local.MessageGroupId";

/** As the graph makes them; the engine would take others, and find another queue in them than is read here. */
const queueUrl = /^https?:\/\/(?!sqs\.)[^/\s]+\/\d{12}\/([\w-]{1,80}(?:\.fifo)?)$/;

/** The batch forms need the right of the single action (SQS developer guide, "Amazon SQS API permissions"). */
const actionOf = (operation: string) => `sqs:${operation.replace(/Batch$/, "")}`;

interface EngineReply {
  code(status: number): EngineReply;
  header(name: string, value: string): EngineReply;
  send(body: string): unknown;
}

interface Entry {
  MessageGroupId?: string;
  MessageAttributes?: Record<string, unknown>;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** Checks, counts and, where the engine needs it, rewrites the SQS requests (JSON protocol). */
export function guardSqs(app: EngineApp, door: RequestAuthorizer): void {
  app.addHook("preHandler", (request, reply, done) => {
    const route = messagingRoute(request);
    if (route?.kind !== "queue") return done();
    const { operation } = route;
    const body: unknown = request.body;
    const queueName = isObject(body) ? queueUrl.exec(String(body["QueueUrl"]))?.[1] : undefined;
    if (!isObject(body) || queueName === undefined) {
      refuse(reply, 400, { code: "InvalidAddress", message: "QueueUrl names no queue." });
      return;
    }
    const refusal = door.admit(door.identify(request.headers, request.url), {
      service: "sqs",
      operation,
      needs: [{ action: actionOf(operation), resource: `arn:aws:sqs:us-east-1:${account}:${queueName}` }],
    });
    if (refusal) {
      refuse(reply, refusal.code === "ThrottlingException" ? 400 : 403, refusal);
      return;
    }
    if (!queueName.endsWith(".fifo")) {
      if (operation === "SendMessage") carryGroup(body);
      if (operation === "SendMessageBatch" && Array.isArray(body["Entries"])) body["Entries"].forEach(carryGroup);
    }
    done();
  });
}

/** Has the messages of a batch committed as one. To be called when every other hook is there: the last runs the handler. */
export function storeBatchesInOneTransaction(app: EngineApp, together: Together): void {
  app.addHook("preHandler", (request, reply, done) => {
    if (request.headers["x-amz-target"] !== "AmazonSQS.SendMessageBatch") return done();
    try {
      // The engine's handler runs inside `done` and does not wait for anything; its answer is sent later.
      together.run(done);
    } catch {
      // The disk is full or gone: the sender is told and sends again.
      refuse(reply, 500, { code: "InternalError", message: "The messages could not be stored." });
    }
  });
}

function refuse(reply: EngineReply, status: number, { code, message }: { code: string; message: string }): void {
  reply
    .code(status)
    .header("content-type", "application/x-amz-json-1.0")
    .send(JSON.stringify({ __type: `com.amazon.coral.service#${code}`, message }));
}

function carryGroup(entry: Entry): void {
  if (typeof entry.MessageGroupId !== "string") return;
  entry.MessageAttributes = {
    ...entry.MessageAttributes,
    [groupAttribute]: { DataType: "String", StringValue: entry.MessageGroupId },
  };
}

/** Puts the group where it belongs before the queue stores the message. */
export function restoreGroup(
  queue: EngineQueue,
  digest: (attributes: EngineMessage["messageAttributes"]) => string,
): void {
  const { enqueue } = queue;
  queue.enqueue = (message) => {
    const { [groupAttribute]: group, ...attributes } = message.messageAttributes;
    if (group?.StringValue !== undefined) {
      message.messageGroupId = group.StringValue;
      message.messageAttributes = attributes;
      message.md5OfMessageAttributes = digest(attributes);
    }
    enqueue.call(queue, message);
  };
}

/** Attributes of a queue in SQS's own terms. */
export function queueAttributes(node: Graph["queues"][string]): Record<string, string> {
  return {
    VisibilityTimeout: String(node.visibilityTimeoutSeconds),
    DelaySeconds: String(node.delaySeconds),
    MessageRetentionPeriod: String(node.messageRetentionSeconds),
    ...(node.fifo
      ? {
          FifoQueue: "true",
          ContentBasedDeduplication: String(node.contentBasedDeduplication),
          DeduplicationScope: node.deduplicationScope ?? "queue",
          FifoThroughputLimit: node.fifoThroughputLimit ?? "perQueue",
        }
      : {}),
    ...(node.redrive
      ? {
          RedrivePolicy: JSON.stringify({
            deadLetterTargetArn: node.redrive.deadLetterArn,
            maxReceiveCount: node.redrive.maxReceiveCount,
          }),
        }
      : {}),
  };
}
