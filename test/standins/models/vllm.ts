import { type HttpAnswer, json } from "../../../infra/standins/loopback-server.ts";
import type { ServerProfile } from "./profile.ts";

/**
 * vLLM: unknown fields are passed over with a warning (vllm/entrypoints/openai/protocol.py); errors have no `error`
 * around them (langchain4j/langchain4j #3475 quotes one); thinking comes as `reasoning_content`. Started with
 * `--enable-auto-tool-choice --tool-call-parser`, which `tool_choice: "auto"` needs.
 */
export const vllm: ServerProfile = {
  name: "vLLM",
  basePath: "/v1",
  model: "Qwen/Qwen3-8B",
  answeredModel: "Qwen/Qwen3-8B",
  needsKey: false,
  thinkingTokens: 900,
  thinkingIn: "reasoning_content",
  enforces: ["json_schema"],
  caps: ["max_tokens", "max_completion_tokens"],
  unauthorised: () => json(401, { error: "Unauthorized" }),
  unknownModel: (model) => error(404, "NotFoundError", `The model \`${model}\` does not exist.`),
  unknownPath: () => json(404, { detail: "Not Found" }),
  refusal(body) {
    const cap = body.max_tokens ?? body.max_completion_tokens ?? 0;
    const prompt = Math.ceil(JSON.stringify(body.messages).length / 4);
    if (cap + prompt <= maxModelLength) return undefined;
    return error(
      400,
      "BadRequestError",
      `'max_tokens' or 'max_completion_tokens' is too large: ${cap}. This model's maximum context length is ${maxModelLength} tokens and your request has ${prompt} input tokens (${cap} > ${maxModelLength} - ${prompt}).`,
    );
  },
};

/** `--max-model-len`, set small, as where the memory is. */
const maxModelLength = 8_192;

/** vLLM started without the flags tools need. */
export const vllmWithoutTools: ServerProfile = {
  ...vllm,
  name: "vLLM, started without tools",
  refusal: (body) =>
    body.tools && body.tool_choice === "auto"
      ? error(
          400,
          "BadRequestError",
          '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        )
      : vllm.refusal(body),
};

function error(status: number, type: string, message: string): HttpAnswer {
  return json(status, { object: "error", message, type, param: null, code: status });
}
