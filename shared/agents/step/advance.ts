import { readPayload } from "../../devices/payloads.ts";
import { done, type Outcome } from "../../outcome/outcome.ts";
import { Transient } from "../../privacy/transient.ts";
import { agentPrompts, firstHopOf } from "../conversation/agents.ts";
import { type Answered, begun, withResults } from "../conversation/turns.ts";
import type { Step } from "./agent-ports.ts";
import { askModel } from "./ask-model.ts";
import { commitStep } from "./commit-step.ts";
import { openState } from "./continuation.ts";
import { openStepMessage, type StepContent } from "./step-message.ts";

/** Takes a claimed step. Whatever stands in its way is thrown. */
export async function advance(step: Step): Promise<Outcome> {
  const { ports, body, session } = step;
  const content = openStepMessage(session.sealer, body).reveal();
  switch (content.kind) {
    case "start":
      return begin(step, content);
    case "results": {
      const before = await openState(ports.objects, session.sealer, body.runId, body.step - 1, content.state);
      const answers = await Promise.all(content.results.map((result) => answerOf(step, result)));
      return askModel(
        step,
        before.map((value) => withResults(session.sealer, value, answers)),
      );
    }
    case "look":
      await ports.runs.release(body, body.step, step.messageId);
      return done;
  }
}

/** The first hop is a tool call that no model has asked for: the list of files comes from the device. */
async function begin(
  step: Step,
  { agent, projectId, message }: Extract<StepContent, { kind: "start" }>,
): Promise<Outcome> {
  const { ports, session } = step;
  const prompt = await ports.prompts.current(agentPrompts[agent]);
  const before = (await readPayload(ports.objects, session.sealer, message)).map((text) => begun(prompt, text));
  const hop = firstHopOf(agent, projectId);
  if (!hop) return askModel(step, before);
  const call = { callId: ports.newCallId(), name: hop.action, arguments: JSON.stringify(hop.data) };
  const asked = [{ callId: call.callId, action: hop.action, data: hop.data }];
  return commitStep(step, {
    conversation: before.map((value) => ({ ...value, open: [call], firstHop: true })),
    asked: new Transient(asked),
    toolCalls: 1,
    usage: { inputTokens: 0, outputTokens: 0 },
  });
}

type Result = Extract<StepContent, { kind: "results" }>["results"][number];

async function answerOf({ ports, session }: Step, { callId, result, error }: Result): Promise<Answered> {
  const text = (await readPayload(ports.objects, session.sealer, result)).reveal();
  return { callId, text, ...(error === undefined ? {} : { error }) };
}
