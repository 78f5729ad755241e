import type { ToolCall } from "../../../events/frames/agents.ts";
import type { ServerFrame } from "../../../events/frames/frames.ts";
import { projectId, type RunId } from "../../../events/ids.ts";
import type { RunFrame } from "../../../shared/devices/frames/device-ports.ts";
import { newFrame } from "./cloud.ts";

export const garden = projectId.parse("prj_01KE5Q8600ESE4NYY1EVXDNQEP");

export const block = (lines: readonly string[]) =>
  [
    "<linked_folder>",
    "Data.",
    `project ${garden} named "Garden", folder "garden", ${lines.length} files`,
    ...lines,
    "Last scan 3 h ago.",
    "</linked_folder>",
  ].join("\n");

type Of<T extends RunFrame["type"]> = Extract<RunFrame, { type: T }>;
export type ToolCalls = Extract<ServerFrame, { type: "tool_calls" }>;

export function ask(runId: RunId, message: string, more: Partial<Of<"agent_run">> = {}): Of<"agent_run"> {
  return newFrame({ type: "agent_run", runId, agent: "home", message: { inline: message }, ...more });
}

export const cancel = (runId: RunId): Of<"agent_cancel"> => newFrame({ type: "agent_cancel", runId });

/** A device's answer to the calls of a step, each answered by what `answer` says. */
export function results(
  { runId, step, calls, state }: ToolCalls,
  answer: (call: ToolCall) => string = () => "nothing",
): Of<"tool_results"> {
  const answered = calls.map((call) => ({ callId: call.callId, result: { inline: answer(call) } }));
  return newFrame({ type: "tool_results", runId, step, results: answered, state });
}
