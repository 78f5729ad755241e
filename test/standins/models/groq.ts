import type { HttpAnswer } from "../../../infra/standins/loopback-server.ts";
import { boundingKeywords, openAiError, refusedKeyword, type ServerProfile } from "./profile.ts";

/**
 * Groq, a model without `json_schema`.
 *
 * - `store` is refused (fanenr/chatbot #21, Gitlawb/openclaude #983); bounding keywords are refused
 *   (i-am-bee/beeai-framework #1215).
 * - Which models take a schema: console.groq.com/docs/structured-outputs; JSON mode wants the word "json".
 */
export const groq: ServerProfile = {
  name: "Groq",
  basePath: "/openai/v1",
  model: "llama-3.1-8b-instant",
  answeredModel: "llama-3.1-8b-instant",
  needsKey: true,
  thinkingTokens: 0,
  thinkingIn: "reasoning",
  enforces: [],
  caps: ["max_tokens", "max_completion_tokens"],
  unauthorised: () => openAiError(401, "Invalid API Key", { code: "invalid_api_key" }),
  unknownModel: (model) =>
    openAiError(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
      code: "model_not_found",
    }),
  unknownPath: (path) =>
    openAiError(404, `Unknown request URL: POST ${path}. Please check the URL for typos.`, { code: "unknown_url" }),
  refusal(body) {
    if (body["store"] !== undefined) return refused("property 'store' is unsupported, did you mean 'stop'?");
    const format = body.response_format;
    const keyword = refusedKeyword(format?.json_schema?.schema, boundingKeywords);
    if (keyword !== undefined) {
      return refused(`invalid schema for response format: response_format/json_schema: ${keyword} is not supported`);
    }
    if (format?.type === "json_schema") {
      return refused(
        "This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models",
      );
    }
    if (format?.type === "json_object" && !/json/i.test(JSON.stringify(body.messages))) {
      return refused(
        "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      );
    }
    return undefined;
  },
};

function refused(message: string): HttpAnswer {
  return openAiError(400, message);
}
