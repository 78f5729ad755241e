import { done, type Outcome } from "../../outcome.ts";
import { endWithStep } from "../run/end-run.ts";
import type { Step } from "./agent-ports.ts";

/** Tries of a step that faults may cost, and times it may wait for tokens or for a model that asks for patience. */
const maxFaults = 4;
const maxWaits = 10;
const firstDelayMs = 1_000;
/** A person waits for the answer: a longer wait is a failure. */
const longestWaitMs = 60_000;

/**
 * What becomes of a step that could not be taken: the same message again after a while, as a new one, since leaving it to
 * the queue would mean waiting out the visibility timeout; or, when that is hopeless, the run's end.
 */
export async function stumble(step: Step, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind === "done" || outcome.kind === "drop") return outcome;
  const { ports, body, messageId, row } = step;
  const status = outcome.code === "quota_exceeded" ? "quota_exceeded" : "error";
  const delayMs = delayOf(outcome, row.attempts, ports.clock());
  if (delayMs === undefined) return endWithStep(step, { status, code: outcome.code });
  // When the step is written down already, what comes again sends what is still to be sent.
  await ports.runs.release(body, row.step, messageId);
  await ports.agent.send([{ body, group: body.userId, delaySeconds: Math.ceil(delayMs / 1000) }]);
  return done;
}

/** Undefined when there is no use in trying again. */
function delayOf(outcome: Outcome, attempts: number, nowMs: number): number | undefined {
  if (outcome.kind === "retry") return attempts + 1 < maxFaults ? firstDelayMs * 2 ** attempts : undefined;
  if (outcome.kind !== "defer") return undefined;
  const waitMs = Math.max(0, outcome.untilMs - nowMs);
  return attempts + 1 < maxWaits && waitMs <= longestWaitMs ? waitMs : undefined;
}
