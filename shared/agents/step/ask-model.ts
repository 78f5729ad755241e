import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import { failurePolicy } from "../../breaker/failure-policy.ts";
import { probeReserveMs } from "../../breaker/model-breaker.ts";
import { billedUsage } from "../../llm/billed-usage.ts";
import { agreed } from "../../llm/openai/answer/agreed.ts";
import type { ToolAnswer } from "../../llm/tool-model.ts";
import { asScoutsError, type Outcome } from "../../outcome/outcome.ts";
import { Transient } from "../../privacy/transient.ts";
import { answerForms } from "../conversation/agents.ts";
import type { Conversation } from "../conversation/conversation.ts";
import { expectedTokens, modelTurns, mostTokens } from "../conversation/model-turns.ts";
import { agentTools, checkCalls } from "../conversation/tools.ts";
import { refusal } from "../conversation/turns.ts";
import { capReached, capsOf } from "../run/caps.ts";
import { maxAnswerCharacters } from "../run/complete-frame.ts";
import { endWithStep } from "../run/end-run.ts";
import type { Step } from "./agent-ports.ts";
import { commitStep } from "./commit-step.ts";
import { DeltaWriter } from "./delta-writer.ts";
import { type Allowance, reserveTokens, settle } from "./spend.ts";

/** Of one answer. */
const maxOutputTokens = 2_000;

/** Asks the model for the run's next turn: an answer, which ends the run, or calls, which go to the device. */
export async function askModel(step: Step, before: Transient<Conversation>): Promise<Outcome> {
  const { ports, row } = step;
  const { prompt } = before.reveal();
  const turns = before.map(modelTurns);
  const caps = capsOf(row.agent, ports.caps);
  const form = answerForms[row.agent];
  const limit = capReached(row, caps, ports.prices, expectedTokens(turns.reveal()));
  if (limit) return endWithStep(step, { status: limit, prompt });
  const held = await ports.breaker.current();
  if (held) return endWithStep(step, { status: "error", code: held.code, prompt });
  const allowance = await reserveTokens(step, mostTokens(turns.reveal()) + maxOutputTokens);
  if ("untilMs" in allowance) throw waitFor(allowance.untilMs - ports.clock());
  const writer = new DeltaWriter({ ...ports, isCancelled: () => isCancelled(step) }, step.body);
  const last = row.step === caps.steps - 1;
  const startedAtMs = ports.clock();
  let answer: ToolAnswer;
  try {
    answer = await ports.model.converse(
      {
        turns,
        tools: agentTools(row.agent),
        form,
        // Whoever has no step left for the results had better answer from what there is.
        toolChoice: last ? "none" : "auto",
        maxOutputTokens,
        // Whose affair a timeout is, the probe tells, and that takes its time too.
        timeoutMs: step.remainingMs() - probeReserveMs,
        signal: writer.signal,
      },
      // What has a form is of no use before it is whole: then only whether the run is still wanted is looked at.
      (piece) => writer.write(form ? nothing : piece),
    );
  } catch (error) {
    const { code } = asScoutsError(error);
    if (failurePolicy(code)?.suspectsModel) await ports.breaker.blame(code, startedAtMs, step.remainingMs());
    return failed(step, error, allowance, prompt);
  } finally {
    writer.close();
  }
  const { text, usage } = answer;
  const ending = { text, usage, allowance, prompt };
  if (writer.signal.aborted) return endWithStep(step, { ...ending, status: "cancelled" });
  const calls = answer.calls.reveal();
  if (calls.length > 0 && last) return endWithStep(step, { ...ending, status: "step_limit", toolCalls: calls.length });
  if (calls.length > 0) return askDevice(step, before, answer, allowance);
  if (text.reveal().trim() === "")
    return endWithStep(step, { ...ending, status: "error", code: "model_answer_invalid" });
  await writer.flush();
  const whole = form ? agreed(form.schema, text.reveal())?.map((value) => JSON.stringify(value)) : text;
  if (whole === undefined)
    return endWithStep(step, { ...ending, text: nothing, status: "error", code: "model_answer_invalid" });
  // Whoever reads it must not take half an answer for one.
  const isCut = !form && (answer.isCut === true || whole.reveal().length > maxAnswerCharacters);
  return endWithStep(step, { ...ending, text: whole, status: isCut ? "token_limit" : "completed" });
}

const nothing = new Transient("");

function askDevice(
  step: Step,
  before: Transient<Conversation>,
  answer: ToolAnswer,
  allowance: Allowance,
): Promise<Outcome> {
  const { newCallId } = step.ports;
  const { sealer } = step.session;
  const checked = answer.calls.map((calls) => checkCalls(calls, step.row.agent, newCallId));
  const conversation = before.map((value): Conversation => {
    const { calls, asked, refused } = checked.reveal();
    const wanted = new Set<string>(asked.map(({ callId }) => callId));
    const spoken = { role: "model" as const, text: answer.text.reveal(), calls: [...calls] };
    return {
      ...value,
      turns: [...value.turns, spoken, ...refused.map(({ callId, text }) => refusal(sealer, callId, text))],
      open: calls.filter(({ callId }) => wanted.has(callId)),
    };
  });
  return commitStep(step, {
    conversation,
    asked: checked.map(({ asked }) => asked),
    toolCalls: checked.reveal().calls.length,
    usage: answer.usage,
    allowance,
  });
}

/**
 * A useless answer is billed as well; whatever may still come right is tried again, under a reservation of its own. What
 * somebody has to mend first ends the run: the person who asked is waiting, and is told why.
 */
async function failed(step: Step, error: unknown, allowance: Allowance, prompt: string): Promise<Outcome> {
  const { ports, body, messageId, row } = step;
  const usage = billedUsage(error);
  if (isScoutsError(error) && (error.kind.retry === "never" || failurePolicy(error.code)?.answersAtOnce)) {
    return endWithStep(step, { status: "error", code: error.code, usage, allowance, prompt });
  }
  const isBilled = usage.inputTokens + usage.outputTokens > 0;
  const counted = isBilled && (await ports.runs.spend(row, messageId, usage, allowance.granted.id));
  await settle(ports, body.userId, allowance, counted || undefined);
  throw error;
}

async function isCancelled({ ports, body }: Step): Promise<boolean> {
  return (await ports.runs.get(body))?.cancelled === true;
}

function waitFor(retryAfterMs: number): ScoutsError {
  return new ScoutsError("quota_exceeded", { data: { retryAfterMs } });
}
