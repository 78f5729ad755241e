import * as z from "zod";
import { callId, frameId, projectId, proposalId, runId, taskId } from "../ids.ts";
import { payload } from "../payload.ts";
import { maxResultCharacters } from "../proposals/categorize.ts";
import { toldCode } from "../told-code.ts";

const id = frameId;
const count = z.number().int().nonnegative();

/** Steps a run may take at most; each is one model call and the device's answers to it. */
export const maxRunSteps = 12;
/** Tool calls of one step at most. */
export const maxStepCalls = 8;

/**
 * Who answers: `home` free questions, `brief` all projects, `task_brief` a task's project; `categorize` says what a proposal
 * is. They only read.
 */
export const agentName = z.enum(["home", "brief", "task_brief", "categorize"]);
export type AgentName = z.infer<typeof agentName>;

const run = z.object({
  type: z.literal("agent_run"),
  id,
  runId,
  agent: agentName,
  projectId: projectId.optional(),
  taskId: taskId.optional(),
  /** What `categorize` is about, and in which round: one device at a time has it read. */
  proposalId: proposalId.optional(),
  round: z.number().int().positive().max(1_000_000).optional(),
  message: payload,
  /** What was said before in the same conversation: JSON of {@link exchanges}. */
  earlier: payload.optional(),
  /** How many things the person has attached: the device is asked for them before the model is asked anything. */
  attached: count.min(1).max(8).optional(),
});
const cancel = z.object({ type: z.literal("agent_cancel"), id, runId });

/** Questions and answers that a question goes on from, oldest first. */
export const exchanges = z.array(z.object({ question: z.string(), answer: z.string() })).max(8);
export type Exchanges = z.infer<typeof exchanges>;

const toolResult = z.object({ callId, result: payload, error: z.string().max(64).optional() });
const toolResults = z.object({
  type: z.literal("tool_results"),
  id,
  runId,
  step: count.max(maxRunSteps),
  results: z.array(toolResult).min(1).max(maxStepCalls),
  /** The sealed continuation as it came with the calls. */
  state: payload,
});

const result = {
  proposalId,
  round: z.number().int().positive().max(1_000_000),
  /** The device's own, for its person's other devices. The cloud does not look into it. */
  result: z.strictObject({ inline: z.string().max(maxResultCharacters) }),
};
/** What a run of `categorize` came to, when the device has checked it. */
const categorizeResultSent = z.object({ type: z.literal("categorize_result"), id, ...result });
/** The same, from another device of the same person. */
const categorizeResultTold = z.object({ type: z.literal("categorize_result"), ...result });

/** What a device says in a run, and of one that is over. */
export const agentClientFrames = [run, cancel, toolResults, categorizeResultSent] as const;

/** Something the device is asked to do. `data` is checked by the action's own schema on the device (events/agent-tools/actions.ts). */
export const toolCall = z.object({
  callId,
  action: z.string().max(64),
  data: z.record(z.string(), z.unknown()),
});
export type ToolCall = z.infer<typeof toolCall>;

/** How a run ended: every exit has one. */
export const runStatus = z.enum([
  "completed",
  "cancelled",
  "step_limit",
  "token_limit",
  "time_limit",
  "cost_limit",
  "quota_exceeded",
  "device_gone",
  "error",
]);
export type RunStatus = z.infer<typeof runStatus>;

const toolCalls = z.object({
  type: z.literal("tool_calls"),
  runId,
  step: count,
  calls: z.array(toolCall).min(1).max(maxStepCalls),
  /** Sealed for the cloud; the device hands it back unread. */
  state: payload,
});
/** A piece of an answer while it is written. A step that is repeated starts again at `seq` 0: what came before is void. */
const runDelta = z.object({ type: z.literal("run_delta"), runId, step: count, seq: count, text: z.string() });
const runComplete = z.object({
  type: z.literal("run_complete"),
  runId,
  status: runStatus,
  text: z.string(),
  tokensUsed: count,
  toolCalls: count,
  /** Name and version of the agent's prompt. */
  prompt: z.string().max(100).nullable(),
  code: toldCode.optional(),
});

/** What the cloud says in a run, and of another device's. */
export const agentServerFrames = [toolCalls, runDelta, runComplete, categorizeResultTold] as const;
