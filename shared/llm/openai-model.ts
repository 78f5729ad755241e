import OpenAI from "openai";
import * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import type { ChatAnswer, ChatModel, ChatRequest, TokenUsage } from "./chat-model.ts";
import { Transient } from "../privacy/transient.ts";
import { modelFailure, modelName } from "./openai-failure.ts";

/** An answer that is not of the agreed form is asked for once more. */
const defaultTries = 2;

export interface OpenAiOptions {
  readonly apiKey: string;
  readonly baseUrl: string;
  readonly model: string;
}

/** {@link ChatModel} on any endpoint that speaks OpenAI's chat completions with structured outputs. */
export class OpenAiModel implements ChatModel {
  readonly #client: OpenAI;
  readonly #model: string;

  constructor(options: OpenAiOptions) {
    // The library's own retries (2, over 10 minutes each) would outlive a Lambda: the queue does the retrying.
    this.#client = new OpenAI({ apiKey: options.apiKey, baseURL: options.baseUrl, maxRetries: 0 });
    this.#model = options.model;
  }

  async complete<S extends z.ZodType>(request: ChatRequest<S>): Promise<ChatAnswer<z.infer<S>>> {
    let usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
    for (let attempt = 1; ; attempt += 1) {
      const completion = await this.#ask(request);
      usage = {
        inputTokens: usage.inputTokens + (completion.usage?.prompt_tokens ?? 0),
        outputTokens: usage.outputTokens + (completion.usage?.completion_tokens ?? 0),
      };
      const message = completion.choices[0]?.message;
      if (message?.refusal) throw new ScoutsError("model_refused", { data: { ...usage } });
      const value = parsed(request.schema, message?.content);
      if (value) return { value, usage, model: modelName(completion.model, this.#model) };
      if (attempt >= (request.tries ?? defaultTries))
        throw new ScoutsError("model_answer_invalid", { data: { ...usage } });
    }
  }

  async #ask(request: ChatRequest<z.ZodType>): Promise<OpenAI.ChatCompletion> {
    try {
      return await this.#client.chat.completions.create(
        {
          model: this.#model,
          // OpenAI keeps stored completions for 30 days; nothing of ours is to be kept.
          store: false,
          temperature: 0,
          max_completion_tokens: request.maxOutputTokens,
          messages: [
            { role: "system", content: request.system },
            { role: "user", content: userContent(request) },
          ],
          response_format: {
            type: "json_schema",
            json_schema: { name: request.schemaName, strict: true, schema: z.toJSONSchema(request.schema) },
          },
        },
        { timeout: Math.max(1000, request.timeoutMs) },
      );
    } catch (error) {
      throw modelFailure(error);
    }
  }
}

/** Low detail: a fixed, small price for every image, whatever its size (OpenAI, "Images and vision"). */
function userContent({ user, image }: ChatRequest<z.ZodType>): string | OpenAI.ChatCompletionContentPart[] {
  if (!image) return user.reveal();
  return [
    { type: "text", text: user.reveal() },
    { type: "image_url", image_url: { url: image.reveal(), detail: "low" } },
  ];
}

/** Undefined when the answer is not JSON of the schema. What was wrong would quote the answer, so it is not kept. */
function parsed<S extends z.ZodType>(schema: S, content: string | null | undefined): Transient<z.infer<S>> | undefined {
  try {
    const result = schema.safeParse(JSON.parse(content ?? ""));
    return result.success ? new Transient(result.data) : undefined;
  } catch {
    return undefined;
  }
}
