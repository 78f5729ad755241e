import type { Graph } from "../graph.ts";
import { attributeDigest, type Engine } from "./fauxqs.ts";
import { LocalQueue, type LocalQueueOptions } from "./local-queue.ts";
import { queueAttributes, restoreGroup } from "./messaging/sqs-front.ts";

/** Creates the graph's queues where they are missing, brings the others up to date, and takes them in hand. */
export async function provisionQueues(
  engine: Engine,
  graph: Graph,
  { faults, delayMs }: Partial<Pick<LocalQueueOptions, "faults" | "delayMs">> = {},
): Promise<Map<string, LocalQueue>> {
  const digest = await attributeDigest();
  const queues = new Map<string, LocalQueue>();
  for (const node of Object.values(graph.queues)) {
    const attributes = queueAttributes(node);
    const existing = engine.sqs.getQueueByName(node.queueName);
    const queue = existing ?? engine.sqs.createQueue(node.queueName, node.url, node.arn, attributes);
    if (existing) existing.setAttributes(attributes);
    // The port is another one in every run; the engine looks queues up by the name in a URL.
    Object.defineProperty(queue, "url", { value: node.url });
    const deadLetters = () => (node.redrive ? engine.sqs.getQueueByArn(node.redrive.deadLetterArn) : undefined);
    const options = { deadLetters, faults, together: engine.together, ...(delayMs && { delayMs }) };
    queues.set(node.name, new LocalQueue(node, queue, options));
    restoreGroup(queue, digest);
  }
  return queues;
}

/** Creates the graph's buckets where they are missing. */
export function provisionBuckets(engine: Engine, graph: Graph): void {
  for (const bucket of Object.values(graph.buckets)) {
    if (!engine.buckets.hasBucket(bucket.bucketName)) engine.buckets.createBucket(bucket.bucketName);
  }
}
