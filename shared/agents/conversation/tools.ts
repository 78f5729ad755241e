import * as z from "zod";
import { deviceActions } from "../../../events/agent-tools/actions.ts";
import { type AgentName, maxStepCalls, type ToolCall } from "../../../events/frames/agents.ts";
import type { CallId } from "../../../events/ids.ts";
import type { ModelCall, ToolDefinition } from "../../llm/tool-model.ts";
import { agentActions } from "./agents.ts";
import type { Call } from "./conversation.ts";

/** Arguments of one call in characters: eight of them and an inline continuation fit a frame. */
const maxArgumentCharacters = 4_000;

/**
 * Bounds, which no model keeps by counting: the device says what is wrong with a call. They were more than a third of what
 * the tools take of every step (3,400 tokens), and some servers cannot make a grammar of them (docs/models.md).
 */
const unsaid = new Set([
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "additionalProperties",
]);

/** All an agent may use, always in the same order, so that prompts begin alike. The model is asked what a device is asked. */
export function agentTools(agent: AgentName): readonly ToolDefinition[] {
  return agentActions[agent].map((name) => ({
    name,
    description: deviceActions[name].description,
    parameters: parametersOf(deviceActions[name].input),
  }));
}

function parametersOf(input: z.ZodType): ToolDefinition["parameters"] {
  const { $schema: _, ...parameters } = z.toJSONSchema(input, {
    io: "input",
    override({ jsonSchema }) {
      for (const key of unsaid) Reflect.deleteProperty(jsonSchema, key);
    },
  });
  return parameters;
}

export interface CheckedCalls {
  /** All of them, as the conversation keeps them. */
  readonly calls: readonly Call[];
  /** For the device. */
  readonly asked: readonly ToolCall[];
  /** Answered here: why they are not for the device. */
  readonly refused: readonly { readonly callId: CallId; readonly text: string }[];
}

/** Sorts what a model asks for: the device is asked for what its agent has only. Whether the arguments are right it says itself. */
export function checkCalls(
  calls: readonly Omit<ModelCall, "callId">[],
  agent: AgentName,
  newCallId: () => CallId,
): CheckedCalls {
  const checked = { calls: [] as Call[], asked: [] as ToolCall[], refused: [] as { callId: CallId; text: string }[] };
  for (const { name, arguments: given } of calls) {
    const callId = newCallId();
    const data = argumentsOf(given);
    checked.calls.push({ callId, name: wireName(name), arguments: data ? given : "{}" });
    const refusal = refusalOf(agent, name, data, checked.asked.length);
    if (refusal !== undefined) checked.refused.push({ callId, text: refusal });
    else checked.asked.push({ callId, action: name, data: data ?? {} });
  }
  return checked;
}

function refusalOf(agent: AgentName, name: string, data: object | undefined, asked: number): string | undefined {
  const names: readonly string[] = agentActions[agent];
  if (!names.includes(name)) return `action_unknown: there is no such tool. There are: ${names.join(", ")}.`;
  if (!data)
    return `invalid_request: the arguments must be a JSON object of at most ${maxArgumentCharacters} characters.`;
  return asked < maxStepCalls
    ? undefined
    : `invalid_request: at most ${maxStepCalls} calls at once; ask for the rest again.`;
}

function argumentsOf(given: string): Record<string, unknown> | undefined {
  if (given.length > maxArgumentCharacters) return undefined;
  try {
    const value: unknown = JSON.parse(given === "" ? "{}" : given);
    return z.record(z.string(), z.unknown()).safeParse(value).data;
  } catch {
    // No JSON: the model is told that its arguments cannot be read.
    return undefined;
  }
}

/** Names of functions as OpenAI's API takes them back (API reference, function calling). */
function wireName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, 64) || "unnamed";
}
