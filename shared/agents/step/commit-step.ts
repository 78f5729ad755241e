import type { ToolCall } from "../../../events/frames/agents.ts";
import type { TokenUsage } from "../../llm/chat-model.ts";
import { done, type Outcome } from "../../outcome/outcome.ts";
import type { Transient } from "../../privacy/transient.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { endWithStep } from "../run/end-run.ts";
import type { Step } from "./agent-ports.ts";
import { type SealedState, sealState } from "./continuation.ts";
import { keepOutgoing, type Sendable } from "./outbox.ts";
import { discard, sendOut } from "./send-out.ts";
import { type Allowance, settle } from "./spend.ts";
import { type StepContent, stepMessage } from "./step-message.ts";

/** A step after which the run goes on. */
export interface Continued {
  readonly conversation: Transient<Conversation>;
  /** Calls for the device; when there are none, the model is asked again at once. */
  readonly asked: Transient<readonly ToolCall[]>;
  /** All the model made, those for the device and those that were answered here. */
  readonly toolCalls: number;
  readonly usage: TokenUsage;
  readonly allowance?: Allowance;
}

/**
 * Writes a step down and hands the run on: continuation and outgoing frame are sealed and kept first, the row says that
 * they count, then they are sent. A worker that dies before the row leaves objects nobody names; after it, its message
 * comes again and sends what was kept.
 */
export async function commitStep(step: Step, continued: Continued): Promise<Outcome> {
  const { ports, body, messageId, row, session } = step;
  const { conversation, usage, allowance, toolCalls } = continued;
  const state = await sealState(ports, body.userId, session.sealer, body.runId, row.step, conversation);
  const content = outgoing(step, continued.asked, state);
  const outbox = await keepOutgoing(ports, body, session.sealer, content);
  const { prompt } = conversation.reveal();
  const workMs = ports.clock() - step.startedAtMs;
  const reservation = allowance && { reservation: allowance.granted.id };
  const result = { step: row.step, claim: messageId, usage, toolCalls, workMs, prompt, outbox, ...reservation };
  const committed = await ports.runs.commit(body, result, state.object, ports.clock());
  if (!committed) {
    await discard(ports, [outbox, state.object]);
    return overtaken(step, continued);
  }
  await settle(ports, body.userId, allowance, committed);
  await sendOut(step, content);
  await discard(ports, [...body.objects, row.outbox, row.state]);
  return done;
}

function outgoing(
  { body, row, session }: Step,
  asked: Transient<readonly ToolCall[]>,
  { payload }: SealedState,
): Transient<Sendable> {
  const { runId } = body;
  if (asked.reveal().length > 0) {
    return asked.map((calls) => ({
      kind: "frame",
      frame: { type: "tool_calls", runId, step: row.step, calls: [...calls], state: payload },
    }));
  }
  const again: StepContent = { kind: "results", results: [], state: payload };
  const { body: message } = stepMessage(body, session.sealer, runId, row.step + 1, again);
  return asked.map(() => ({ kind: "step", message }));
}

/** The step is not ours any more, or the run is cancelled: then it ends here, and what the step took is counted. */
async function overtaken(step: Step, { usage, allowance, toolCalls, conversation }: Continued): Promise<Outcome> {
  const { ports, body } = step;
  const row = await ports.runs.get(body);
  if (row?.cancelled) {
    const { prompt } = conversation.reveal();
    const spent = { usage, toolCalls, prompt, ...(allowance ? { allowance } : {}) };
    return endWithStep(step, { status: "cancelled", ...spent });
  }
  await settle(ports, body.userId, allowance);
  return { kind: "drop", code: "step_replayed" };
}
