import { nextTry, retryPolicies } from "../../outcome/next-try.ts";
import { done, type Outcome } from "../../outcome/outcome.ts";
import { queueAgain } from "../../outcome/queue-again.ts";
import { endWithStep } from "../run/end-run.ts";
import type { Step } from "./agent-ports.ts";

/**
 * What becomes of a step that could not be taken: the same message again after a while, as a new one, since leaving it to
 * the queue would mean waiting out the visibility timeout; or, when that is hopeless, the run's end.
 */
export async function settleFailedStep(step: Step, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind === "done" || outcome.kind === "drop") return outcome;
  const { ports, body, messageId, row } = step;
  const status = outcome.code === "quota_exceeded" ? "quota_exceeded" : "error";
  const spent = { faults: row.attempts, waits: row.attempts };
  const next = nextTry(retryPolicies.steps, spent, outcome, ports.clock());
  if (!next) {
    // What this try took is counted by now.
    const now = (await ports.runs.get(body)) ?? row;
    return endWithStep({ ...step, row: now }, { status, code: outcome.code });
  }
  // When the step is written down already, what comes again sends what is still to be sent.
  await ports.runs.release(body, row.step, messageId);
  const again = { body, group: body.userId, delayMs: next.delayMs };
  return (await queueAgain(ports.agent, [again], ports.log, "steps")) ?? done;
}
