import { type HttpAnswer, json } from "../../../infra/standins/loopback-server.ts";
import type { ServerProfile } from "./profile.ts";

/**
 * LM Studio: takes `json_schema` and `text`, never `json_object` (lmstudio-ai/lmstudio-bug-tracker #189, #307); its
 * errors are a bare string.
 */
export const lmStudio: ServerProfile = {
  name: "LM Studio",
  basePath: "/v1",
  model: "qwen3-4b",
  answeredModel: "qwen3-4b",
  needsKey: false,
  thinkingTokens: 0,
  thinkingIn: "content",
  enforces: ["json_schema"],
  caps: ["max_tokens"],
  unauthorised: () => error(401, "Unauthorized"),
  unknownModel: (model) => error(404, `Model "${model}" not found. Please specify a valid model.`),
  unknownPath: (path) => error(200, `Unexpected endpoint or method. (POST ${path})`),
  refusal: ({ response_format: format }) =>
    format && !["json_schema", "text"].includes(format.type)
      ? error(400, "'response_format.type' must be 'json_schema' or 'text'")
      : undefined,
};

function error(status: number, message: string): HttpAnswer {
  return json(status, { error: message });
}
