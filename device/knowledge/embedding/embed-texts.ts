import { isScoutsError, ScoutsError } from "../../../events/errors.ts";
import type { EmbeddingModel } from "../../../shared/llm/embedding-model.ts";
import { modelFailureClass } from "../../../shared/llm/model-failure-class.ts";
import { Transient } from "../../../shared/privacy/transient.ts";

/** For one request; a model on the person's own machine may have to be loaded first. */
const timeoutMs = 60_000;
/** A text that does not fit the model is cut in half, down to so many characters. */
const leastChars = 200;
/** Bad answers to single texts, one after the other: then it is the model, not the text. */
const mostBadAnswers = 3;

/** What became of a text: its vector; null when the model cannot take it; undefined when its answer was of no use this time. */
export type Embedded = Float32Array | null | undefined;

/** Asks a model for vectors, and finds out which of several texts it cannot take. */
export class TextEmbedder {
  readonly #model: EmbeddingModel;
  readonly #signal: AbortSignal | undefined;
  #badAnswers = 0;
  /** Billed since it was last taken. */
  #tokens = 0;

  constructor(model: EmbeddingModel, signal: AbortSignal | undefined) {
    this.#model = model;
    this.#signal = signal;
  }

  /** What was billed since this was last asked. */
  takeTokens(): number {
    const tokens = this.#tokens;
    this.#tokens = 0;
    return tokens;
  }

  /** In the order of the texts. @throws ScoutsError of a model that cannot be used, or is overloaded, or does not answer */
  async embed(texts: readonly string[]): Promise<Embedded[]> {
    try {
      const answer = await this.#model.embed({ texts: new Transient(texts), timeoutMs, signal: this.#signal });
      this.#tokens += answer.tokens;
      this.#badAnswers = 0;
      return [...answer.vectors];
    } catch (error) {
      if (!isScoutsError(error) || error.code === "model_timeout") throw error;
      const kind = modelFailureClass(error.code);
      if (kind !== "item" && kind !== "answer") throw error;
      const [only = "", ...more] = texts;
      if (more.length > 0) {
        const middle = texts.length >> 1;
        return [...(await this.embed(texts.slice(0, middle))), ...(await this.embed(texts.slice(middle)))];
      }
      return [await this.#alone(only, error)];
    }
  }

  async #alone(text: string, error: ScoutsError): Promise<Embedded> {
    if (error.code === "model_answer_invalid") {
      this.#badAnswers++;
      if (this.#badAnswers < mostBadAnswers) return undefined;
      throw new ScoutsError("model_answer_invalid", { cause: error });
    }
    if (error.code !== "model_item_too_long" || text.length <= leastChars) return null;
    // Its beginning says most of what it is about.
    const [vector] = await this.embed([text.slice(0, text.length >> 1).toWellFormed()]);
    return vector;
  }
}
