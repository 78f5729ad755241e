import type { SummarizeMessage } from "../../../events/queues.ts";
import { failurePolicy } from "../../breaker/failure-policy.ts";
import { type Again, triedAgain } from "../../outcome/grouped-batch.ts";
import { retryPolicies } from "../../outcome/next-try.ts";
import { asScoutsError, type Outcome, outcomeOf } from "../../outcome/outcome.ts";
import type { FileWork } from "./summarize-ports.ts";

/**
 * A file that has taken its worker with it so often is not tried again but answered. infra/queues.ts sets a message aside
 * after five receives: that leaves two for the answer.
 */
export const maxTriedReceives = 3;

/** When to try again after a fault; undefined when it would not pass, or not soon. */
export function afterFault(error: unknown, each: FileWork, nowMs: number): Again<SummarizeMessage> | undefined {
  if (failurePolicy(asScoutsError(error).code)?.answersAtOnce === true) return undefined;
  return after(outcomeOf(error, nowMs), each, nowMs);
}

/** When to ask for tokens again; undefined when nobody will give any back. */
export function forTokens(untilMs: number, each: FileWork, nowMs: number): Again<SummarizeMessage> | undefined {
  return after({ kind: "defer", untilMs, code: "quota_exceeded" }, each, nowMs);
}

function after(outcome: Outcome, { message }: FileWork, nowMs: number): Again<SummarizeMessage> | undefined {
  return triedAgain(message, retryPolicies.files, outcome, nowMs);
}

/** Whether an earlier delivery may have left something undone. */
export function wasBegun({ message: { tries, waits }, receiveCount }: FileWork): boolean {
  return receiveCount > 1 || tries > 0 || waits > 0;
}
