import { ScoutsError } from "../../../events/errors.ts";
import { type Exchanges, exchanges } from "../../../events/frames/agents.ts";
import { readPayload } from "../../devices/payloads.ts";
import { done, type Outcome } from "../../outcome/outcome.ts";
import { agentPrompts, firstHopsOf } from "../conversation/agents.ts";
import { type Answered, begun, withFirstHops, withResults } from "../conversation/turns.ts";
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

/** The first hop is calls that no model has asked for: the list of files, and what the index has on the question. */
async function begin(
  step: Step,
  { agent, projectId, proposalId, message, earlier, attached }: Extract<StepContent, { kind: "start" }>,
): Promise<Outcome> {
  const { ports, session } = step;
  const prompt = await ports.prompts.current(agentPrompts[agent]);
  const question = await readPayload(ports.objects, session.sealer, message);
  const said = earlier && (await readPayload(ports.objects, session.sealer, earlier)).map(exchangesIn);
  const before = question.map((text) => begun(prompt, text, said?.reveal()));
  const hops = question.map((text) =>
    firstHopsOf(agent, { projectId, proposalId, attached }, text, said?.reveal()).map((hop) => ({
      callId: ports.newCallId(),
      ...hop,
    })),
  );
  const toolCalls = hops.reveal().length;
  if (toolCalls === 0) return askModel(step, before);
  const open = hops.map((each) =>
    each.map(({ callId, action, data }) => ({ callId, name: action, arguments: JSON.stringify(data) })),
  );
  return commitStep(step, {
    conversation: before.map((value) => withFirstHops(value, open.reveal())),
    asked: hops,
    toolCalls,
    usage: { inputTokens: 0, outputTokens: 0 },
  });
}

/** @throws invalid_request */
function exchangesIn(text: string): Exchanges {
  const found = exchanges.safeParse(parsed(text));
  if (!found.success) throw new ScoutsError("invalid_request");
  return found.data;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON is no list of what was said.
    return undefined;
  }
}

type Result = Extract<StepContent, { kind: "results" }>["results"][number];

async function answerOf({ ports, session }: Step, { callId, result, error }: Result): Promise<Answered> {
  const text = (await readPayload(ports.objects, session.sealer, result)).reveal();
  return { callId, text, ...(error === undefined ? {} : { error }) };
}
