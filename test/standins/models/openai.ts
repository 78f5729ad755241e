import type { HttpAnswer } from "../../../infra/standins/loopback-server.ts";
import {
  boundingKeywords,
  type ChatBody,
  looseObject,
  openAiError,
  openAiParameters,
  refusedKeyword,
  type ServerProfile,
  unknownKey,
} from "./profile.ts";

/**
 * OpenAI, a model that does not think.
 *
 * - Parameters, `max_tokens` "deprecated": API reference, "Create chat completion".
 * - Strict schemas and their keywords: "Structured model outputs", supported schemas. Fine-tuned models take none of the
 *   bounding keywords; this stand-in is as strict as those.
 * - Errors: "Error codes"; bodies as quoted in 64bit/async-openai and griptape-ai/ComfyUI-Griptape #312.
 */
export const openAi: ServerProfile = {
  name: "OpenAI",
  basePath: "/v1",
  model: "gpt-4o-mini",
  answeredModel: "gpt-4o-mini-2024-07-18",
  needsKey: true,
  thinkingTokens: 0,
  thinkingIn: "hidden",
  enforces: ["json_schema"],
  caps: ["max_tokens", "max_completion_tokens"],
  unauthorised: () =>
    openAiError(401, "Incorrect API key provided: k***. You can find your API key at the platform.", {
      code: "invalid_api_key",
    }),
  unknownModel: (model) =>
    openAiError(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
      code: "model_not_found",
    }),
  unknownPath: (path) => openAiError(404, `Invalid URL (POST ${path})`),
  refusal: refuse,
};

/** OpenAI, a model that thinks (the o series, gpt-5): as quoted in gabrii/Cursor-Azure-GPT-5 #33. */
export const openAiReasoning: ServerProfile = {
  ...openAi,
  name: "OpenAI, a model that thinks",
  model: "gpt-5-mini",
  answeredModel: "gpt-5-mini-2025-08-07",
  thinkingTokens: 1_152,
  caps: ["max_completion_tokens"],
  refusal(body) {
    if (body.max_tokens !== undefined) return renamed;
    if (body.temperature !== undefined && body.temperature !== 1) {
      const message = `Unsupported value: 'temperature' does not support ${body.temperature} with this model. Only the default (1) value is supported.`;
      return openAiError(400, message, { param: "temperature", code: "unsupported_value" });
    }
    if ((body.max_completion_tokens ?? 100) < 16) {
      return openAiError(
        400,
        "Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.",
      );
    }
    return refuse(body);
  },
};

const renamed = openAiError(
  400,
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  { param: "max_tokens", code: "unsupported_parameter" },
);

function refuse(body: ChatBody): HttpAnswer | undefined {
  const unknown = unknownKey(body, openAiParameters);
  if (unknown !== undefined) {
    return openAiError(400, `Unknown parameter: '${unknown}'.`, { param: unknown, code: "unknown_parameter" });
  }
  if (body.max_tokens !== undefined && body.max_completion_tokens !== undefined) {
    return openAiError(400, "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.", {
      param: "max_tokens",
    });
  }
  if (body.stream_options && !body.stream) {
    return openAiError(400, "The 'stream_options' parameter is only allowed when 'stream' is enabled.", {
      param: "stream_options",
    });
  }
  return refusedFormat(body);
}

function refusedFormat(body: ChatBody): HttpAnswer | undefined {
  const format = body.response_format;
  if (format?.type === "json_object" && !/json/i.test(JSON.stringify(body.messages))) {
    return openAiError(
      400,
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
      { param: "messages" },
    );
  }
  if (format?.type !== "json_schema" || !format.json_schema?.strict) return undefined;
  const { name = "", schema } = format.json_schema;
  const keyword = refusedKeyword(schema, boundingKeywords);
  const why = keyword === undefined ? looseObject(schema) : `'${keyword}' is not permitted.`;
  if (why === undefined) return undefined;
  return openAiError(400, `Invalid schema for response_format '${name}': In context=(), ${why}`, {
    param: "response_format",
  });
}
