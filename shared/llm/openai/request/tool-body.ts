import type OpenAI from "openai";
import type { ModelTurn, ToolRequest } from "../../tool-model.ts";
import { commonBody, inRoles, responseFormat, userContent } from "./chat-body.ts";
import type { Dialect } from "./dialect.ts";
import { jsonSchemaOf } from "./json-schema.ts";

/** A streamed request for a conversation's next turn. */
export function toolBody(
  dialect: Dialect,
  model: string,
  request: ToolRequest,
): OpenAI.ChatCompletionCreateParamsStreaming {
  const messages = request.turns.reveal().map((turn) => messageOf(dialect, turn));
  return {
    ...commonBody(dialect, model, request.maxOutputTokens),
    messages: inRoles(dialect, messages),
    ...toolsOf(dialect, request),
    ...(request.form ? responseFormat(dialect, request.form.name, jsonSchemaOf(request.form.schema)) : {}),
    stream: true,
    ...(dialect.omitted.has("stream_options") ? {} : { stream_options: { include_usage: true } }),
  };
}

/** Where `tool_choice` is not taken, leaving the tools out says "none", and "auto" goes without saying. */
function toolsOf({ omitted }: Dialect, { tools, toolChoice }: ToolRequest) {
  const unsaid = omitted.has("tool_choice");
  if (unsaid && toolChoice === "none") return {};
  return {
    tools: tools.map((tool) => ({
      type: "function" as const,
      function: { name: tool.name, description: tool.description, parameters: { ...tool.parameters } },
    })),
    ...(unsaid ? {} : { tool_choice: toolChoice }),
  };
}

function messageOf(dialect: Dialect, turn: ModelTurn): OpenAI.ChatCompletionMessageParam {
  switch (turn.role) {
    case "tool":
      return { role: "tool", tool_call_id: turn.callId, content: turn.text };
    case "assistant": {
      const calls = turn.calls.map(({ callId, name, arguments: given }) => ({
        id: callId,
        type: "function" as const,
        function: { name, arguments: asObject(given) },
      }));
      // Ollama refuses a turn without both, OpenAI one with `null` and no calls.
      if (calls.length === 0) return { role: "assistant", content: turn.text };
      return { role: "assistant", content: turn.text === "" ? null : turn.text, tool_calls: calls };
    }
    case "user":
      return { role: "user", content: userContent(dialect, turn.text, turn.image) };
    case "system":
      return { role: "system", content: turn.text };
  }
}

/**
 * Ollama and llama.cpp refuse a conversation in which a call's arguments are no JSON object. Such a call was refused
 * when it was made, and its `tool` turn says so.
 */
function asObject(given: string): string {
  try {
    const value: unknown = JSON.parse(given);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? given : "{}";
  } catch {
    // Not JSON, whatever else it is.
    return "{}";
  }
}
