import * as z from "zod";
import { ScoutsError } from "../../../events/errors.ts";
import { agentClientFrames } from "../../../events/frames/agents.ts";
import type { AgentMessage } from "../../../events/queues.ts";
import { objectsOf } from "../../devices/payloads.ts";
import type { Asker } from "../../devices/session-post.ts";
import type { Outgoing } from "../../ports/queue.ts";
import type { SessionSealer } from "../../privacy/session-sealer.ts";
import { Transient } from "../../privacy/transient.ts";
import type { RunId } from "../run/run-row.ts";

const [agentRun, , toolResults] = agentClientFrames;

/** What a step starts from: the person's message, the device's answers, or nothing but a reason to look at the run. */
const stepContent = z.discriminatedUnion("kind", [
  agentRun
    .pick({
      agent: true,
      projectId: true,
      taskId: true,
      proposalId: true,
      message: true,
      earlier: true,
      attached: true,
    })
    .extend({ kind: z.literal("start") }),
  toolResults
    .pick({ state: true })
    .extend({ kind: z.literal("results"), results: z.array(toolResults.shape.results.element) }),
  z.object({ kind: z.literal("look") }),
]);
export type StepContent = z.infer<typeof stepContent>;

const contextOf = ({ runId }: Pick<RunId, "runId">, step: number): readonly string[] => ["agent", runId, String(step)];

/** A message that has the run's step taken. Bulky parts stay the objects they are. */
export function stepMessage(
  asker: Asker,
  sealer: SessionSealer,
  run: RunId["runId"],
  step: number,
  content: StepContent,
): Outgoing<AgentMessage> {
  const { userId, deviceId, sessionId, connectionId } = asker;
  const sealed = sealer.sealText(new Transient(JSON.stringify(content)), contextOf({ runId: run }, step));
  const objects = payloadObjects(content);
  return {
    body: { v: 1, userId, deviceId, sessionId, connectionId, runId: run, step, tries: 0, sealed, objects },
    group: userId,
  };
}

/** The inverse of {@link stepMessage}. @throws invalid_message, sealed_unreadable */
export function openStepMessage(sealer: SessionSealer, { runId, step, sealed }: AgentMessage): Transient<StepContent> {
  return sealer.openText(sealed, contextOf({ runId }, step)).map(parse);
}

function parse(text: string): StepContent {
  const content = stepContent.safeParse(JSON.parse(text));
  if (!content.success) throw new ScoutsError("invalid_message");
  return content.data;
}

function payloadObjects(content: StepContent) {
  switch (content.kind) {
    case "start":
      return objectsOf(content.earlier === undefined ? [content.message] : [content.message, content.earlier]);
    case "results":
      return objectsOf([content.state, ...content.results.map(({ result }) => result)]);
    case "look":
      return [];
  }
}
