import type OpenAI from "openai";
import * as z from "zod";
import type { ScoutsError } from "../../events/errors.ts";
import type { ModelProbe, ModelProbeRequest, ModelProbeResult } from "./model-probe.ts";
import { readCompletion } from "./openai/answer/completion.ts";
import { modelFailure, sourceOf } from "./openai/failure.ts";
import { ModelEndpoint, type OpenAiOptions } from "./openai/model-endpoint.ts";
import { ModelRefusal } from "./openai/model-refusal.ts";
import { commonBody } from "./openai/request/chat-body.ts";
import { hitsOutputLimit } from "./openai/request/dialect.ts";

/** The whole of what a probe says. */
const text = "Answer with the word: ok";
const maxOutputTokens = 1;
const maxModels = 100;

const named = z.object({ id: z.string() }).or(z.object({ name: z.string() }).transform(({ name }) => ({ id: name })));
const list = z.array(z.unknown());
const models = list.or(z.object({ data: list }).transform(({ data }) => data));
const label = /^[\w./:@+-]{1,128}$/;

/** {@link ModelProbe} on any endpoint that speaks OpenAI's chat completions. */
export class OpenAiProbe implements ModelProbe {
  readonly #endpoint: ModelEndpoint;

  constructor(options: OpenAiOptions) {
    this.#endpoint = new ModelEndpoint(options);
  }

  async probe({ timeoutMs, listModels = false }: ModelProbeRequest): Promise<ModelProbeResult> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const failure = await this.#complete(deadline, timeoutMs);
    const isUnknown = failure?.code === "model_unknown";
    const found = listModels || isUnknown ? await this.#list(deadline, timeoutMs) : undefined;
    if (!failure) return { ok: true, ...(found && { models: found }) };
    const { status, retryAfterMs } = failure.data;
    return {
      ok: false,
      code: failure.code === "internal" ? "model_unavailable" : failure.code,
      ...(typeof status === "number" && { status }),
      ...(typeof retryAfterMs === "number" && { retryAfterMs }),
      ...(found && { known: found }),
    };
  }

  async #complete(deadline: AbortSignal, timeout: number): Promise<ScoutsError | undefined> {
    const { client, model } = this.#endpoint;
    try {
      await this.#endpoint.negotiate(
        async (dialect) => {
          const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: text }];
          const body = { ...commonBody(dialect, model, maxOutputTokens), messages };
          try {
            readCompletion(await client.chat.completions.create(body, { signal: deadline, timeout }));
          } catch (error) {
            const source = sourceOf(error);
            // It thought, and would have answered: room for that would cost tokens and say no more.
            if (!(source instanceof ModelRefusal && hitsOutputLimit(source))) throw error;
          }
        },
        maxOutputTokens,
        deadline,
      );
      return undefined;
    } catch (error) {
      return modelFailure(error);
    }
  }

  /** Undefined when the server has no list, or none that can be read: not every gateway has one. */
  async #list(signal: AbortSignal, timeout: number): Promise<readonly string[] | undefined> {
    try {
      const answer: unknown = await this.#endpoint.client.get("/models", { signal, timeout });
      const read = models.safeParse(answer);
      if (!read.success) return undefined;
      const ids = read.data.flatMap((each) => named.safeParse(each).data?.id ?? []);
      return ids.filter((id) => label.test(id)).slice(0, maxModels);
    } catch {
      // Whatever went wrong: the list is an extra, the probe has its answer.
      return undefined;
    }
  }
}
