import type { HttpAnswer } from "../../../infra/standins/loopback-server.ts";
import { type ChatBody, openAiError, type ServerProfile } from "./profile.ts";

/**
 * Ollama: reads the fields it knows and passes over the rest, `max_completion_tokens` and `store` among them; strict in
 * what a message may be (ollama/ollama, openai/openai.go). A model without a tools template refuses tools
 * (ollama/ollama #14795). The schema becomes a grammar, whatever `strict` says.
 */
export const ollama: ServerProfile = {
  name: "Ollama",
  basePath: "/v1",
  model: "qwen3:8b",
  answeredModel: "qwen3:8b",
  needsKey: false,
  thinkingTokens: 600,
  thinkingIn: "reasoning",
  enforces: ["json_schema"],
  caps: ["max_tokens"],
  unauthorised: () => openAiError(401, "unauthorized", { type: "api_error" }),
  unknownModel: (model) =>
    openAiError(404, `model "${model}" not found, try pulling it first`, { type: "not_found_error" }),
  // Gin's own, for everything outside /v1 and /api.
  unknownPath: () => ({ status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found" }),
  refusal: refuse,
};

/** Ollama with a model that has no tools. */
export const ollamaWithoutTools: ServerProfile = {
  ...ollama,
  name: "Ollama, a model without tools",
  model: "gemma3:1b",
  answeredModel: "gemma3:1b",
  thinkingTokens: 0,
  refusal: (body) =>
    body.tools && body.tools.length > 0
      ? openAiError(400, "registry.ollama.ai/library/gemma3:1b does not support tools")
      : refuse(body),
};

function refuse(body: ChatBody): HttpAnswer | undefined {
  for (const { content, tool_calls: calls } of body.messages) {
    if ((content === null || content === undefined) && !calls) {
      return openAiError(400, "invalid message content type: <nil>");
    }
    if (calls?.some((each) => !isObject(each.function.arguments))) {
      return openAiError(400, "invalid tool call arguments");
    }
  }
  return undefined;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    // Not JSON.
    return false;
  }
}
