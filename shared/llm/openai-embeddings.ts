import * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import type { EmbeddingAnswer, EmbeddingModel, EmbeddingRequest } from "./embedding-model.ts";
import { modelFailure, sourceOf } from "./openai/failure.ts";
import { ModelEndpoint, type OpenAiOptions } from "./openai/model-endpoint.ts";
import { ModelRefusal } from "./openai/model-refusal.ts";

/** What a list of vectors looks like: API reference, "Create embeddings". Numbers are looked at below. */
const answered = z.object({
  data: z.array(z.object({ index: z.number().int().min(0).optional(), embedding: z.array(z.number()).min(1) })),
  usage: z
    .object({ prompt_tokens: z.number().int().min(0) })
    .optional()
    .catch(undefined),
});

/** Longer ones are no model's. */
const maxDimension = 16_384;
/** Of a server that counts nothing. */
const charsAToken = 4;

/** {@link EmbeddingModel} on any endpoint that speaks OpenAI's `/v1/embeddings`. */
export class OpenAiEmbeddings implements EmbeddingModel {
  readonly #endpoint: ModelEndpoint;
  /** Servers that answer in numbers only need not know the setting. */
  #saysFormat = true;

  constructor(options: OpenAiOptions) {
    this.#endpoint = new ModelEndpoint(options);
  }

  async embed({ texts, timeoutMs, signal }: EmbeddingRequest): Promise<EmbeddingAnswer> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const input = texts.reveal();
    const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
    try {
      return vectorsOf(await this.#post(input, stop, timeoutMs), input);
    } catch (error) {
      if (deadline.aborted) throw new ScoutsError("model_timeout", { cause: error });
      throw modelFailure(error);
    }
  }

  async #post(input: readonly string[], signal: AbortSignal, timeout: number): Promise<unknown> {
    const { client, model } = this.#endpoint;
    const says = this.#saysFormat;
    const body = { model, input, ...(says && { encoding_format: "float" }) };
    try {
      return await client.post<unknown>("/embeddings", { body, signal, timeout });
    } catch (error) {
      const source = sourceOf(error);
      if (!says || !(source instanceof ModelRefusal) || !source.says(/encoding_format/)) throw error;
      this.#saysFormat = false;
      return this.#post(input, signal, timeout);
    }
  }
}

/** @throws ScoutsError model_answer_invalid: fewer vectors than texts, of several lengths, or without direction */
function vectorsOf(answer: unknown, input: readonly string[]): EmbeddingAnswer {
  const read = answered.safeParse(answer);
  if (!read.success) throw new ScoutsError("model_answer_invalid");
  const { data, usage } = read.data;
  const vectors: (Float32Array | undefined)[] = input.map(() => undefined);
  for (const [place, { index = place, embedding }] of data.entries()) vectors[index] = Float32Array.from(embedding);
  const whole = vectors.flatMap((vector) => vector ?? []);
  const isWhole = data.length === input.length && vectors.length === input.length && whole.length === input.length;
  const dimension = whole[0]?.length ?? 0;
  const isSound = (vector: Float32Array) =>
    vector.length === dimension && vector.every(Number.isFinite) && vector.some((number) => number !== 0);
  if (!isWhole || dimension > maxDimension || !whole.every(isSound)) throw new ScoutsError("model_answer_invalid");
  const guess = Math.ceil(input.reduce((sum, { length }) => sum + length, 0) / charsAToken);
  return { vectors: whole, tokens: usage?.prompt_tokens ?? guess };
}
