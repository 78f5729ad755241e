import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import * as z from "zod";

/** A dead-letter queue and the queue its messages come from. */
export interface DeadLetterQueue {
  readonly name: string;
  readonly url: string;
  readonly sourceUrl: string;
}

/** A message that was set aside: ids and counts, as everything on a queue. */
export interface DeadLetter {
  readonly queue: string;
  readonly messageId: string;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly receives: number;
  /** Its content is sealed for a session, and ends with that. */
  readonly sealed: boolean;
  /** What it is about. */
  readonly ids: Readonly<Record<string, string>>;
}

export interface Redriven {
  readonly moved: number;
  /** Left where they were: sealed ones answer nobody any more. */
  readonly sealed: number;
}

/** Long enough to look at or move one batch. */
const hiddenSeconds = 60;
const batchSize = 10;
/**
 * Who waits is answered by all of a queue's servers; who does not by some of them, which may have none of few messages (SQS developer
 * guide, "Short and long polling").
 */
const waitSeconds = 2;

const body = z.looseObject({ sealed: z.unknown().optional() });
const idFields = ["userId", "scoutId", "ref", "cause", "deviceId", "indexId", "runId", "step"];

/** Looks at every message of a dead-letter queue and gives all of them back. */
export async function listDeadLetters(client: SQSClient, queue: DeadLetterQueue): Promise<DeadLetter[]> {
  const held = new Map<string, Message>();
  for await (const messages of received(client, queue)) {
    for (const message of messages) held.set(message.MessageId ?? "", message);
  }
  await release(client, queue, [...held.values()]);
  return [...held.values()].map((message) => describe(queue, message));
}

/**
 * Sends a queue's dead letters to the queue they came from, oldest first. A message is deleted here when it is stored
 * there, so that one may be sent twice when this is interrupted and none is lost; handling one twice changes nothing.
 */
export async function redrive(client: SQSClient, queue: DeadLetterQueue, signal: AbortSignal): Promise<Redriven> {
  const left: Message[] = [];
  let moved = 0;
  for await (const messages of received(client, queue)) {
    const [sealed, open] = [messages.filter(isSealed), messages.filter((message) => !isSealed(message))];
    left.push(...sealed);
    moved += await move(client, queue, open);
    if (signal.aborted) break;
  }
  await release(client, queue, left);
  return { moved, sealed: new Set(left.map(({ MessageId }) => MessageId)).size };
}

async function* received(client: SQSClient, { url }: DeadLetterQueue): AsyncGenerator<readonly Message[]> {
  const seen = new Set<string>();
  for (;;) {
    const answer = await client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: batchSize,
        VisibilityTimeout: hiddenSeconds,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ["All"],
      }),
    );
    const messages = answer.Messages ?? [];
    const fresh = messages.filter(({ MessageId = "" }) => !seen.has(MessageId));
    for (const { MessageId = "" } of fresh) seen.add(MessageId);
    if (fresh.length > 0) yield messages;
    // Nothing, or only what was hidden so long ago that it comes again.
    else return;
  }
}

async function move(client: SQSClient, { url, sourceUrl }: DeadLetterQueue, messages: readonly Message[]) {
  if (messages.length === 0) return 0;
  const Entries = messages.map(({ MessageId = "", Body, Attributes }, index) => ({
    Id: String(index),
    MessageBody: Body ?? "",
    ...(Attributes?.["MessageGroupId"] === undefined ? {} : { MessageGroupId: Attributes["MessageGroupId"] }),
    // The same message sent twice within five minutes is one (FIFO).
    ...(sourceUrl.endsWith(".fifo") ? { MessageDeduplicationId: MessageId } : {}),
  }));
  const sent = await client.send(new SendMessageBatchCommand({ QueueUrl: sourceUrl, Entries }));
  const stored = (sent.Successful ?? []).flatMap(({ Id }) => messages[Number(Id)] ?? []);
  const deleted = handlesOf(stored);
  if (deleted.length > 0) await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: deleted }));
  return stored.length;
}

async function release(client: SQSClient, { url }: DeadLetterQueue, messages: readonly Message[]): Promise<void> {
  for (let start = 0; start < messages.length; start += batchSize) {
    const Entries = handlesOf(messages.slice(start, start + batchSize));
    const visible = Entries.map((entry) => ({ ...entry, VisibilityTimeout: 0 }));
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries: visible }));
  }
}

function handlesOf(messages: readonly Message[]) {
  return messages.map(({ ReceiptHandle = "" }, index) => ({ Id: String(index), ReceiptHandle }));
}

function isSealed(message: Message): boolean {
  return parsed(message).sealed !== undefined;
}

function parsed({ Body = "" }: Message): z.infer<typeof body> {
  try {
    return body.parse(JSON.parse(Body));
  } catch (error) {
    // Not one of ours: it is shown without what it names.
    if (error instanceof SyntaxError || error instanceof z.ZodError) return {};
    throw error;
  }
}

function describe(queue: DeadLetterQueue, message: Message): DeadLetter {
  const content = parsed(message);
  const named = idFields.flatMap((field) => (content[field] === undefined ? [] : [[field, String(content[field])]]));
  return {
    queue: queue.name,
    messageId: message.MessageId ?? "",
    sentAt: Number(message.Attributes?.SentTimestamp ?? 0),
    receives: Number(message.Attributes?.ApproximateReceiveCount ?? 0),
    sealed: isSealed(message),
    ids: Object.fromEntries(named),
  };
}
