import { type HttpAnswer, json } from "../../../infra/standins/loopback-server.ts";
import { type ServerProfile, unknownKey } from "./profile.ts";

/**
 * Mistral's own API: a key it does not know is a 422 in the form of FastAPI
 * (editor-code-assistant/eca #231, nomtek/mistralai_client_dart #44).
 */
export const mistral: ServerProfile = {
  name: "Mistral",
  basePath: "/v1",
  model: "mistral-small-latest",
  answeredModel: "mistral-small-latest",
  needsKey: true,
  thinkingTokens: 0,
  thinkingIn: "hidden",
  enforces: ["json_schema"],
  caps: ["max_tokens"],
  unauthorised: () => json(401, { detail: "Unauthorized" }),
  unknownModel: (model) =>
    json(400, {
      object: "error",
      message: `Invalid model: ${model}`,
      type: "invalid_model",
      param: null,
      code: "1500",
    }),
  unknownPath: () => json(404, { message: "no Route matched with those values" }),
  refusal(body) {
    const unknown = unknownKey(body, known);
    return unknown === undefined ? undefined : extra(["body", unknown]);
  },
};

const known = new Set([
  "model",
  "messages",
  "stream",
  "max_tokens",
  "temperature",
  "tools",
  "tool_choice",
  "response_format",
]);

function extra(loc: readonly string[]): HttpAnswer {
  const detail = [{ type: "extra_forbidden", loc, msg: "Extra inputs are not permitted", input: false }];
  const facts = { type: "invalid_request_error", param: null, code: null };
  return json(422, { object: "error", message: { detail }, ...facts });
}
