import { type HttpAnswer, json } from "../../../infra/standins/loopback-server.ts";
import { boundingKeywords, refusedKeyword, type ServerProfile } from "./profile.ts";

/**
 * llama.cpp's server, started with `--jinja`: serves one model whatever the request calls it, turns a schema into a
 * grammar and refuses one it cannot (`maxLength`: ggml-org/llama.cpp #26596). What it was not started for is a 500 or
 * 501 (tools without `--jinja`); a prompt larger than its window is `exceed_context_size_error`.
 */
export const llamaCpp: ServerProfile = {
  name: "llama.cpp",
  basePath: "/v1",
  model: "local",
  answeredModel: "local",
  needsKey: false,
  thinkingTokens: 700,
  // With `--reasoning-format none`; by default it is `reasoning_content`.
  thinkingIn: "content",
  enforces: [],
  caps: ["max_tokens", "max_completion_tokens"],
  unauthorised: () => error(401, "authentication_error", "Invalid API Key"),
  unknownModel: (model) => error(404, "not_found_error", `model '${model}' not found`),
  unknownPath: () => error(404, "not_found_error", "File Not Found"),
  refusal(body) {
    const prompt = Math.ceil(JSON.stringify(body.messages).length / 4);
    if (prompt > window) {
      const message = `request (${prompt} tokens) exceeds the available context size (${window} tokens), try increasing it`;
      return error(400, "exceed_context_size_error", message);
    }
    if (refusedKeyword(body.response_format?.json_schema?.schema, boundingKeywords) !== undefined) {
      return error(400, "invalid_request_error", "Failed to initialize samplers: failed to parse grammar");
    }
    return undefined;
  },
};

/** llama.cpp without `--jinja`. */
export const llamaCppWithoutTools: ServerProfile = {
  ...llamaCpp,
  name: "llama.cpp, started without --jinja",
  refusal: (body) =>
    body.tools ? error(500, "server_error", "tools param requires --jinja flag") : llamaCpp.refusal(body),
};

/** `--ctx-size`, in tokens. */
const window = 16_384;

function error(code: number, type: string, message: string): HttpAnswer {
  return json(code, { error: { code, message, type } });
}
