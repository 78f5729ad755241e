import type { ErrorCode } from "../../events/error-kinds.ts";
import type { Log } from "../ports/log.ts";
import type { Queue } from "../ports/queue.ts";
import { nextTry, type RetryPolicy } from "./next-try.ts";
import { done, type Outcome, unsettled } from "./outcome.ts";
import { isolatePoison } from "./poison-isolation.ts";
import { type DelayedMessage, queueAgain } from "./queue-again.ts";

/** A message as the queue handed it out; copies in one batch are one. */
export interface BatchWork<M> {
  readonly message: M;
  /** This time included. */
  readonly receiveCount: number;
}

/** A message to be queued again. */
export interface Again<M> {
  readonly delayMs: number;
  readonly message: M;
}

/** What became of a piece of work in this delivery, as far as the queue has to know. */
export type WorkStep<M> =
  | { readonly kind: "ended" | "refused" }
  | ({ readonly kind: "again" } & Again<M>)
  /** Nobody waits for it any more. */
  | { readonly kind: "dropped"; readonly code: ErrorCode }
  /** Not even what became of it could be written down. */
  | { readonly kind: "lost"; readonly code: ErrorCode };

/**
 * Works off a batch, each group's part by itself: groups that come for the first time side by side, then those that come
 * again, one after another (see `isolationOrder`). Outcomes come in the order of the messages.
 *
 * @param nameOf the same for copies of a message
 */
export async function workInGroups<M>(
  batch: readonly { readonly body: M; readonly receiveCount: number }[],
  { nameOf, groupOf }: { readonly nameOf: (message: M) => string; readonly groupOf: (message: M) => string },
  workOn: (own: readonly BatchWork<M>[]) => Promise<ReadonlyMap<BatchWork<M>, Outcome>>,
): Promise<Outcome[]> {
  const works = new Map<string, BatchWork<M>>();
  for (const { body, receiveCount } of batch) {
    const copy = works.get(nameOf(body));
    works.set(nameOf(body), { message: body, receiveCount: Math.max(receiveCount, copy?.receiveCount ?? 0) });
  }
  const groups = [...Map.groupBy(works.values(), ({ message }) => groupOf(message))];
  const outcomes = new Map<BatchWork<M>, Outcome>();
  await isolatePoison(
    groups,
    ([name]) => name,
    ([, own]) => Math.max(...own.map(({ receiveCount }) => receiveCount)),
    async ([, own]) => {
      for (const [each, outcome] of await workOn(own)) outcomes.set(each, outcome);
    },
  );
  return batch.map(({ body }) => {
    const each = works.get(nameOf(body));
    return (each && outcomes.get(each)) ?? unsettled;
  });
}

/** Queues what has to wait, and says of each work what the queue is to do with its message. */
export async function settleSteps<M extends { readonly userId: string }, W extends BatchWork<M>>(
  queue: Queue<M>,
  works: readonly W[],
  steps: ReadonlyMap<W, WorkStep<M>>,
  log: Log,
  what: "files" | "trials",
): Promise<Map<W, Outcome>> {
  const waiting = works.flatMap((each): DelayedMessage<M>[] => {
    const step = steps.get(each);
    if (step?.kind !== "again") return [];
    return [{ body: step.message, group: step.message.userId, delayMs: step.delayMs }];
  });
  const notQueued = await queueAgain(queue, waiting, log, what);
  return new Map(works.map((each) => [each, outcomeOfStep(steps.get(each), notQueued)]));
}

function outcomeOfStep<M>(step: WorkStep<M> | undefined, notQueued: Outcome | undefined): Outcome {
  switch (step?.kind) {
    case "ended":
    case "refused":
      return done;
    case "again":
      return notQueued ?? done;
    case "dropped":
      return { kind: "drop", code: step.code };
    case "lost":
      return { kind: "retry", code: step.code };
    case undefined:
      return unsettled;
  }
}

/**
 * The message that takes up what did not succeed, with its counters moved on; undefined when it would not pass, or not soon.
 *
 * @param outcome of the failure
 */
export function triedAgain<M extends { readonly tries: number; readonly waits: number }>(
  message: M,
  policy: RetryPolicy,
  outcome: Outcome,
  nowMs: number,
): Again<M> | undefined {
  const { tries, waits } = message;
  const next = nextTry(policy, { faults: tries, waits }, outcome, nowMs);
  if (!next) return undefined;
  const isFault = next.spends === "faults";
  const counted = isFault ? { tries: tries + 1, waits } : { tries, waits: waits + 1 };
  return { delayMs: next.delayMs, message: { ...message, ...counted } };
}
