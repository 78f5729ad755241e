import type { Log } from "../ports/log.ts";
import type { Outgoing, Queue } from "../ports/queue.ts";
import { queueDelaySeconds } from "./delays.ts";
import { asScoutsError, type Outcome } from "./outcome.ts";

/** A message that has to wait. */
export interface DelayedMessage<M> {
  readonly body: M;
  /** Fairness is kept per group: a person. */
  readonly group: string;
  readonly delayMs: number;
}

/**
 * Queues what has to wait, all in one request.
 *
 * @returns the outcome of the messages it stands for when that fails: the queue brings them again; else undefined
 */
export async function queueAgain<M>(
  queue: Queue<M>,
  all: readonly DelayedMessage<M>[],
  log: Log,
  what: "items" | "files" | "steps" | "trials",
): Promise<Outcome | undefined> {
  if (all.length === 0) return undefined;
  const messages = all.map(
    ({ body, group, delayMs }): Outgoing<M> => ({ body, group, delaySeconds: queueDelaySeconds(delayMs) }),
  );
  try {
    await queue.send(messages);
    return undefined;
  } catch (error) {
    log.error("requeue_failed", error, { what, count: all.length });
    return { kind: "retry", code: asScoutsError(error).code };
  }
}
