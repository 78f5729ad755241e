import type { ErrorCode } from "../../../events/error-kinds.ts";
import { isScoutsError } from "../../../events/errors.ts";
import type { RunStatus } from "../../../events/frames/agents.ts";
import type { AgentMessage } from "../../../events/queues.ts";
import type { Session } from "../../devices/session-store.ts";
import { exponentialDelayMs } from "../../outcome/delays.ts";
import { asScoutsError, done, isOwnService, type Outcome, outcomeOf } from "../../outcome/outcome.ts";
import { queueAgain } from "../../outcome/queue-again.ts";
import { endNow } from "../run/end-run.ts";
import { endWithoutNotice, recordRun } from "../run/run-history.ts";
import type { RunRow } from "../run/run-row.ts";
import { claimLifeMs } from "../run/run-store.ts";
import { advance } from "./advance.ts";
import type { AgentPorts, Step, StepReceived } from "./agent-ports.ts";
import { discard, sendAgain } from "./send-out.ts";
import { settleLeftOpen } from "./spend.ts";
import { settleFailedStep } from "./step-failure.ts";

/** Receives before the dead letters (infra/queues.ts). The last one takes no step, it only says that none will be taken. */
export const maxReceives = 3;
/** So often a step that cannot even be looked at goes on as a new message: five minutes, where nobody can have it. */
const maxTries = 6;
const firstDelayMs = 5_000;
/** A claim has lapsed for sure by then, by whichever worker's clock. */
const lapsedMs = claimLifeMs + 60_000;

/**
 * One invocation of a run: takes the step a message asks for, or, when the step has been taken, sends again what came of
 * it. A message is a claim: its step is taken under its id, repeated under the same id after a crash, and refused to any
 * other message.
 */
export async function takeStep(ports: AgentPorts, received: StepReceived, remainingMs: () => number): Promise<Outcome> {
  const { body, messageId, receiveCount } = received;
  let mayBeClaimed = receiveCount > 1;
  try {
    const row = await ports.runs.get(body);
    if (row?.sessionId !== body.sessionId) {
      await discard(ports, body.objects);
      return { kind: "drop", code: "run_unknown" };
    }
    const session = await livingSession(ports, received);
    if (!session) {
      await endWithoutNotice(ports, body, "session_ended", ports.clock());
      return { kind: "drop", code: "session_ended" };
    }
    const looking = { ports, ...received, session, row };
    const elsewhere = isAtWork(row, messageId, ports.clock());
    // What somebody has done to the run meanwhile is looked at anew.
    const endIt = async (status: RunStatus, code?: ErrorCode) =>
      (await endNow(looking, status, code)) ?? takeStep(ports, received, remainingMs);
    if (row.status !== "running") return await taken(looking);
    if (row.cancelled) return elsewhere ? done : await endIt("cancelled");
    if (row.step > body.step) return await taken(looking);
    if (elsewhere) return refused(ports, received);
    if (receiveCount >= maxReceives) return await endIt("error", "attempts_exhausted");
    mayBeClaimed = true;
    const claimed = await ports.runs.claim(body, body.step, messageId, ports.clock());
    if (!claimed) return refused(ports, received);
    const step: Step = { ...looking, row: claimed, startedAtMs: ports.clock(), remainingMs };
    return await attempt(step);
  } catch (error) {
    ports.log.error("step_failed", error, { runId: body.runId, step: body.step, receiveCount });
    return later(ports, body, error, mayBeClaimed);
  }
}

/**
 * What everything here stands on was away. The queue would bring the message back in twelve minutes, while somebody waits, so it goes on
 * as a new one: seconds later, or when a claim has lapsed that another message's worker may not take.
 */
async function later(ports: AgentPorts, body: AgentMessage, error: unknown, mayBeClaimed: boolean): Promise<Outcome> {
  const outcome: Outcome = { kind: "retry", code: asScoutsError(error).code };
  const { tries } = body;
  if (!isOwnService(outcome.code) || tries >= maxTries) return outcome;
  const delayMs = mayBeClaimed ? lapsedMs : exponentialDelayMs(tries, firstDelayMs);
  const again = { body: { ...body, tries: tries + 1 }, group: body.userId, delayMs };
  return (await queueAgain(ports.agent, [again], ports.log, "steps")) ?? done;
}

async function attempt(step: Step): Promise<Outcome> {
  const { ports, body } = step;
  try {
    return await advance(step);
  } catch (error) {
    ports.log.error("step_not_taken", error, { runId: body.runId, step: body.step });
    return settleFailedStep(step, outcomeOf(error, ports.clock()));
  }
}

async function livingSession(ports: AgentPorts, { body }: StepReceived): Promise<Session | undefined> {
  try {
    return await ports.sessions.open(body.userId, body.deviceId, body.sessionId, ports.clock());
  } catch (error) {
    if (isScoutsError(error, "session_ended")) return undefined;
    throw error;
  }
}

/** The step is behind the run: whoever asks again may have missed what came of it, and its worker may have died since. */
async function taken(step: Omit<Step, "remainingMs" | "startedAtMs">): Promise<Outcome> {
  const { ports, body, row } = step;
  await settleLeftOpen(ports, row);
  if (row.status !== "running") await recordRun(ports.ledger, row, ports.clock());
  await sendAgain(step, row);
  await discard(ports, body.objects);
  return done;
}

function refused({ log }: AgentPorts, { body }: StepReceived): Outcome {
  log.event("step_refused", { runId: body.runId, step: body.step });
  return { kind: "drop", code: "step_replayed" };
}

/** Another message's worker has the step and may still live: by how far away its claim is, as a clock may have stepped back since. */
function isAtWork({ claim, claimedAt = 0 }: RunRow, messageId: string, nowMs: number): boolean {
  return claim !== undefined && claim !== messageId && Math.abs(nowMs - claimedAt) < claimLifeMs;
}
