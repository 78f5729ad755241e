import { failurePolicy } from "../../breaker/failure-policy.ts";
import { asScoutsError } from "../../outcome.ts";
import type { FileWork } from "./summarize-ports.ts";

/**
 * A file that has taken its worker with it so often is not tried again but answered. infra/queues.ts sets a message aside
 * after five receives: that leaves two for the answer.
 */
export const maxTriedReceives = 3;
/** After so many faults a file is answered with the last one's code; the next scan takes it up again. */
const maxTries = 8;
const longestDelayMs = 60_000;
/** Who asks for more patience than this is not waited for: a person looks on. */
const longestPatienceMs = 120_000;
/** Others' reservations are waited for as long as a worker that died needs to be noticed, and more. */
const maxWaits = 20;

/** A message to be queued again. */
export interface Again {
  readonly delayMs: number;
  readonly tries: number;
  readonly waits: number;
}

/** When to try again after a fault; undefined when it would not pass, or not soon. */
export function afterFault(error: unknown, { message: { tries, waits } }: FileWork): Again | undefined {
  const { code, kind, data } = asScoutsError(error);
  const final = kind.retry === "never" || failurePolicy(code)?.answersAtOnce === true;
  if (final || tries >= maxTries) return undefined;
  const asked = data["retryAfterMs"];
  const patienceMs = typeof asked === "number" ? asked : 0;
  if (patienceMs > longestPatienceMs) return undefined;
  const delayMs = Math.max(patienceMs, Math.min(longestDelayMs, 1000 * 2 ** (tries + 1)));
  return { delayMs, tries: tries + 1, waits };
}

/** When to ask for tokens again; undefined when nobody will give any back. */
export function forTokens(waitMs: number, { message: { tries, waits } }: FileWork): Again | undefined {
  if (waits >= maxWaits) return undefined;
  return { delayMs: Math.max(1000, waitMs), tries, waits: waits + 1 };
}

/** Whether an earlier delivery may have left something undone. */
export function wasBegun({ message: { tries, waits }, receiveCount }: FileWork): boolean {
  return receiveCount > 1 || tries > 0 || waits > 0;
}
