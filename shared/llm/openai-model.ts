import type * as z from "zod";
import { ScoutsError } from "../../events/errors.ts";
import { withBilled } from "./billed-usage.ts";
import type { ChatAnswer, ChatModel, ChatRequest, TokenUsage } from "./chat-model.ts";
import { agreed } from "./openai/answer/agreed.ts";
import { answeredModel } from "./openai/answer/answered-model.ts";
import { addUsage, billedFor, type CompletionText, readCompletion } from "./openai/answer/completion.ts";
import { withoutThinking } from "./openai/answer/salvage.ts";
import { refusalCode, sourceOf } from "./openai/failure.ts";
import { ModelEndpoint, type OpenAiOptions } from "./openai/model-endpoint.ts";
import { ModelRefusal } from "./openai/model-refusal.ts";
import { chatBody } from "./openai/request/chat-body.ts";
import type { Dialect } from "./openai/request/dialect.ts";

/** An answer that is not of the agreed form is asked for once more. */
const defaultTries = 2;

/** {@link ChatModel} on any endpoint that speaks OpenAI's chat completions, in whatever form it takes (docs/models.md). */
export class OpenAiModel implements ChatModel {
  readonly #endpoint: ModelEndpoint;

  constructor(options: OpenAiOptions) {
    this.#endpoint = new ModelEndpoint(options);
  }

  async complete<S extends z.ZodType>(request: ChatRequest<S>): Promise<ChatAnswer<z.infer<S>>> {
    const deadline = AbortSignal.timeout(Math.max(1000, request.timeoutMs));
    const tries = request.tries ?? defaultTries;
    let usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
    let corrects = false;
    for (let attempt = 1; ; ) {
      const { answer: said, asked } = await this.#ask(request, corrects, deadline, usage);
      usage = addUsage(usage, billedFor(charactersOf(request, said), said.usage));
      if (said.refused) throw new ScoutsError("model_refused", { data: { ...usage } });
      const value = agreed(request.schema, said.text);
      if (value) return { value, usage, model: answeredModel(said.model, this.#endpoint.model) };
      if (this.#adapted(request, said, asked)) continue;
      if (attempt >= tries) throw new ScoutsError("model_answer_invalid", { data: { ...usage } });
      corrects = true;
      attempt += 1;
    }
  }

  /** Whether the next request is asked otherwise. Both happen once for an endpoint, so they are not among the tries. */
  #adapted({ maxOutputTokens }: ChatRequest<z.ZodType>, { text, cutShort }: CompletionText, asked: Dialect): boolean {
    const onlyThought = cutShort && withoutThinking(text).trim() === "";
    // The schema had no effect, or the server enforces none.
    return onlyThought ? this.#endpoint.makeRoom(asked, maxOutputTokens) : this.#endpoint.sayForm(asked);
  }

  async #ask(
    request: ChatRequest<z.ZodType>,
    corrects: boolean,
    deadline: AbortSignal,
    spent: TokenUsage,
  ): Promise<{ readonly answer: CompletionText; readonly asked: Dialect }> {
    const { client, model } = this.#endpoint;
    const timeout = Math.max(1000, request.timeoutMs);
    const send = async (dialect: Dialect): Promise<CompletionText> => {
      const body = chatBody(dialect, model, request, corrects);
      try {
        return readCompletion(await client.chat.completions.create(body, { signal: deadline, timeout }));
      } catch (error) {
        // Groq checks answers itself, and refuses the request for one that is not of the form.
        const source = sourceOf(error);
        if (source instanceof ModelRefusal && refusalCode(source) === "model_answer_invalid") return nothing;
        throw error;
      }
    };
    try {
      return await this.#endpoint.negotiate(send, request.maxOutputTokens, deadline);
    } catch (error) {
      throw withSpent(error, spent);
    }
  }
}

const nothing: CompletionText = {
  text: "",
  refused: false,
  cutShort: false,
  usage: { inputTokens: 0, outputTokens: 0 },
  model: undefined,
};

/** What the answers before were billed goes with the failure. */
function withSpent(error: unknown, spent: TokenUsage): unknown {
  return error instanceof ScoutsError && spent.inputTokens + spent.outputTokens > 0 ? withBilled(error, spent) : error;
}

/** An image counts in the room around them. */
function charactersOf(request: ChatRequest<z.ZodType>, said: CompletionText) {
  return { asked: request.system.length + request.user.reveal().length, answered: said.text.length };
}
