import type { ErrorCode } from "../../../events/error-kinds.ts";
import type { RunStatus } from "../../../events/frames/agents.ts";
import type { ObjectKey } from "../../../events/payload.ts";
import type { TokenUsage } from "../../llm/chat-model.ts";
import { done, type Outcome } from "../../outcome/outcome.ts";
import { Transient } from "../../privacy/transient.ts";
import type { Step } from "../step/agent-ports.ts";
import { keepOutgoing } from "../step/outbox.ts";
import { discard, sendOut } from "../step/send-out.ts";
import { type Allowance, settle } from "../step/spend.ts";
import { completeFrame } from "./complete-frame.ts";
import { recordRun } from "./run-history.ts";
import { type RunRow, tokensOf } from "./run-row.ts";

export interface Ending {
  readonly status: RunStatus;
  readonly code?: ErrorCode;
  readonly text?: Transient<string>;
  readonly usage?: TokenUsage;
  readonly allowance?: Allowance;
  /** Tool calls of this step, which nobody answers any more. */
  readonly toolCalls?: number;
  readonly prompt?: string;
}

const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0 };

/** Ends the run with the step that is being taken: writes down how, counts it, and tells the device. */
export async function endWithStep(step: Step, ending: Ending): Promise<Outcome> {
  const { ports, body, messageId, row } = step;
  const { usage = noUsage, allowance, toolCalls = 0, prompt, status, code } = ending;
  const tokens = tokensOf(row) + tokensOf(usage);
  const counts = { tokens, toolCalls: row.toolCalls + toolCalls };
  const outcome = await endRun(step, ending, counts, (outbox) => {
    const workMs = ports.clock() - step.startedAtMs;
    const reservation = allowance && { reservation: allowance.granted.id };
    const named = prompt === undefined ? {} : { prompt };
    const kept = outbox === undefined ? {} : { outbox };
    const result = { step: row.step, claim: messageId, usage, toolCalls, workMs, ...kept, ...reservation, ...named };
    return ports.runs.endWith(body, result, status, code, ports.clock());
  });
  return outcome ?? { kind: "drop", code: "run_ended" };
}

/** Ends a run that nobody is at work on. @returns undefined when somebody was all the same: it has ended, or moved on */
export function endNow(
  step: Omit<Step, "remainingMs" | "startedAtMs">,
  status: RunStatus,
  code?: ErrorCode,
): Promise<Outcome | undefined> {
  const { ports, body, row } = step;
  const ending = { status, ...(code === undefined ? {} : { code }) };
  const counts = { tokens: tokensOf(row), toolCalls: row.toolCalls };
  return endRun(step, ending, counts, (outbox) => ports.runs.endAt(body, row.step, status, code, outbox));
}

async function endRun(
  step: Omit<Step, "remainingMs" | "startedAtMs">,
  { status, code, text, allowance, prompt }: Ending,
  counts: { readonly tokens: number; readonly toolCalls: number },
  write: (outbox: ObjectKey | undefined) => Promise<RunRow | false>,
): Promise<Outcome | undefined> {
  const { ports, body, row, session } = step;
  const content = (text ?? new Transient("")).map((whole) =>
    completeFrame({ ...row, ...counts, status, code, prompt: prompt ?? row.prompt }, whole),
  );
  const outbox = await keepOutgoing(ports, body, session.sealer, content).catch((error: unknown) => {
    if (text !== undefined) throw error;
    // The row says as much as a frame without an answer: a bucket that takes nothing keeps nobody waiting.
    ports.log.error("ending_not_kept", error, { runId: row.runId });
    return undefined;
  });
  const ended = await write(outbox);
  await settle(ports, body.userId, allowance, ended || undefined);
  if (!ended) {
    await discard(ports, [outbox]);
    return undefined;
  }
  await recordRun(ports.ledger, ended, ports.clock());
  await sendOut(step, content);
  await discard(ports, [...body.objects, row.outbox, row.state]);
  return done;
}
