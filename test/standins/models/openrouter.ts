import { type HttpAnswer, json } from "../../../infra/standins/loopback-server.ts";
import type { ServerProfile } from "./profile.ts";

/**
 * OpenRouter: passes over parameters the chosen provider does not take, so that a schema may have no effect
 * (openrouter.ai/docs, "Parameters", `require_parameters`). Errors have a number as code, and come with status 200 once
 * the model began (openrouter.ai/docs, "Errors"); a stream begins with comments.
 */
export const openRouter: ServerProfile = {
  name: "OpenRouter",
  basePath: "/api/v1",
  model: "meta-llama/llama-3.1-8b-instruct",
  answeredModel: "meta-llama/llama-3.1-8b-instruct",
  needsKey: true,
  thinkingTokens: 0,
  thinkingIn: "reasoning",
  enforces: [],
  caps: ["max_tokens", "max_completion_tokens"],
  unauthorised: () => error(401, "No auth credentials found"),
  unknownModel: (model) => error(400, `${model} is not a valid model ID`),
  unknownPath: () => ({ status: 404, headers: { "content-type": "text/html" }, body: "<!DOCTYPE html><html></html>" }),
  refusal: () => undefined,
  streamHead: ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n",
};

function error(code: number, message: string): HttpAnswer {
  return json(code, { error: { message, code } });
}
