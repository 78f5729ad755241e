import { lambda } from "./lambda.ts";

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
