import { alarmOnAge, alarmOnDepth } from "./alarms.ts";
import { lambda } from "./lambda.ts";

/** 14 days, the longest SQS keeps a message. */
export const retention = { messageRetentionSeconds: 1_209_600 };

/** Timeouts of the workers; a queue's visibility must be six times as long (Lambda's guide for SQS event sources). */
export const workerTimeouts = {
  sync: "2 minutes",
  triage: "1 minute",
  summarize: "1 minute",
  agent: "2 minutes",
  imap: "2 minutes",
  imapVisibility: "12 minutes",
} as const;

function deadLetters(name: string, fifo: boolean) {
  const queue = new sst.aws.Queue(name, { fifo, transform: { queue: retention } });
  alarmOnDepth(name, queue);
  return queue;
}

export const syncDeadLetters = deadLetters("SyncDeadLetters", true);
/**
 * High-throughput FIFO (AWS: `DeduplicationScope` = messageGroup, `FifoThroughputLimit` = perMessageGroupId): one run
 * per scout at a time, any number of scouts side by side.
 */
export const syncQueue = new sst.aws.Queue("Sync", {
  fifo: true,
  visibilityTimeout: "12 minutes",
  dlq: { queue: syncDeadLetters.arn, retry: 5 },
  transform: { queue: { deduplicationScope: "messageGroup", fifoThroughputLimit: "perMessageGroupId" } },
});

export const triageDeadLetters = deadLetters("TriageDeadLetters", false);
/**
 * Kept as long as SQS can, instead of its four days: an item has no row before it is judged, and its scout's cursor has
 * moved on, so that a message which is dropped for its age is an item that nobody misses.
 */
export const triageQueue = new sst.aws.Queue("Triage", {
  visibilityTimeout: "6 minutes",
  transform: { queue: retention },
  dlq: { queue: triageDeadLetters.arn, retry: 5 },
});

export const summarizeDeadLetters = deadLetters("SummarizeDeadLetters", false);
export const summarizeQueue = new sst.aws.Queue("Summarize", {
  visibilityTimeout: "6 minutes",
  dlq: { queue: summarizeDeadLetters.arn, retry: 5 },
});

export const agentDeadLetters = deadLetters("AgentDeadLetters", false);
/**
 * A person waits for the answer: what fails is tried again by a new message, and the third receive only ends the run. AWS advises
 * five receives, since an invocation that it does not let run spends one as well; our bound on the workers is the source mapping's own,
 * which spends none, so that only an account without any executions left does. With a visibility of twelve minutes a run would then end
 * after 48 minutes instead of 24, and one that kills its workers would pay for its step four times instead of twice.
 */
export const agentQueue = new sst.aws.Queue("Agent", {
  visibilityTimeout: "12 minutes",
  dlq: { queue: agentDeadLetters.arn, retry: 3 },
});

/** Seconds a message may wait before somebody should look. */
const waits = [
  ["Sync", syncQueue, 1_800],
  ["Triage", triageQueue, 3_600],
  ["Summarize", summarizeQueue, 3_600],
  ["Agent", agentQueue, 600],
] as const;
for (const [name, queue, seconds] of waits) alarmOnAge(name, queue, seconds);

/** How a worker gets its messages. */
interface Batches {
  /** Messages at once. */
  readonly size: number;
  /** Workers at once. */
  readonly concurrency: number;
}

/**
 * The one function that works off a queue. What has to wait goes back to that queue as a new message
 * (docs/decisions/0006-a-retry-is-a-new-message.md), which Lambda takes for an endless loop, and drops, when one message has led
 * to some sixteen invocations (https://docs.aws.amazon.com/lambda/latest/dg/invocation-recursion.html): half an hour of a model
 * that is rate limiting is sixty. So it is told that this loop is meant.
 */
export function workOff(
  queue: sst.aws.Queue,
  name: string,
  args: Parameters<typeof lambda>[1],
  { size, concurrency }: Batches,
): void {
  const subscription = queue.subscribe(lambda(name, args), {
    batch: { size, partialResponses: true },
    transform: { eventSourceMapping: { scalingConfig: { maximumConcurrency: concurrency } } },
  });
  new aws.lambda.FunctionRecursionConfig(`${name}Loop`, {
    functionName: subscription.apply(({ nodes }) => nodes.function.name),
    recursiveLoop: "Allow",
  });
}
