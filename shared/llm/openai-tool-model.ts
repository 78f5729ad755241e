import { ScoutsError } from "../../events/errors.ts";
import { Transient } from "../privacy/transient.ts";
import { withBilled } from "./billed-usage.ts";
import type { TokenUsage } from "./chat-model.ts";
import { answeredModel } from "./openai/answer/answered-model.ts";
import { addUsage, billedFor } from "./openai/answer/completion.ts";
import { StreamDraft } from "./openai/answer/stream-draft.ts";
import { modelFailure } from "./openai/failure.ts";
import { ModelEndpoint, type OpenAiOptions } from "./openai/model-endpoint.ts";
import { toolBody } from "./openai/request/tool-body.ts";
import type { ToolAnswer, ToolModel, ToolRequest } from "./tool-model.ts";

type OnText = (piece: Transient<string>) => Promise<void>;

/** {@link ToolModel} on any endpoint that speaks OpenAI's chat completions with tools, streamed (docs/models.md). */
export class OpenAiToolModel implements ToolModel {
  readonly #endpoint: ModelEndpoint;

  constructor(options: OpenAiOptions) {
    this.#endpoint = new ModelEndpoint(options);
  }

  async converse(request: ToolRequest, onText: OnText): Promise<ToolAnswer> {
    // The library's own timeout ends with the answer's headers: a stream that stands still would outlive the function.
    const deadline = AbortSignal.timeout(Math.max(1000, request.timeoutMs));
    const { answer: first, asked } = await this.#stream(request, onText, deadline);
    // Thinking took the whole cap. This happens once for an endpoint.
    const onlyThought = first.cutShort && first.text.trim() === "" && first.calls.length === 0;
    const again = onlyThought && !request.signal.aborted && this.#endpoint.makeRoom(asked, request.maxOutputTokens);
    const draft = again ? (await this.#stream(request, onText, deadline)).answer : first;
    const usage = again ? addUsage(usageOf(request, first), usageOf(request, draft)) : usageOf(request, draft);
    if (draft.refused) throw new ScoutsError("model_refused", { data: { ...usage } });
    return {
      text: new Transient(draft.text),
      calls: new Transient(draft.calls),
      isCut: draft.cutShort,
      usage,
      model: answeredModel(draft.model, this.#endpoint.model),
    };
  }

  async #stream(request: ToolRequest, onText: OnText, deadline: AbortSignal) {
    const { client, model } = this.#endpoint;
    const signal = AbortSignal.any([deadline, request.signal]);
    const timeout = Math.max(1000, request.timeoutMs);
    const { answer: stream, asked } = await this.#endpoint.negotiate(
      async (dialect) => {
        try {
          return await client.chat.completions.create(toolBody(dialect, model, request), { signal, timeout });
        } catch (error) {
          if (request.signal.aborted) return undefined;
          throw error;
        }
      },
      request.maxOutputTokens,
      deadline,
    );
    return { answer: await drafted(stream ?? [], request, onText, deadline), asked };
  }
}

/**
 * @throws ScoutsError model_timeout; model_unavailable for a stream that breaks off, with what it took until then; what `onText`
 * throws
 */
async function drafted(
  stream: AsyncIterable<unknown> | Iterable<unknown>,
  request: ToolRequest,
  onText: OnText,
  deadline: AbortSignal,
): Promise<StreamDraft> {
  const draft = new StreamDraft();
  const { signal: unwanted } = request;
  let hasBegun = false;
  // A server that has begun to answer has read the question, which is most of what is billed.
  const billed = (error: ScoutsError) => (hasBegun ? withBilled(error, usageOf(request, draft)) : error);
  try {
    for await (const chunk of stream) {
      const piece = draft.take(chunk);
      hasBegun ||= draft.strange === 0;
      if (piece !== "") await onText(new Transient(piece));
    }
  } catch (error) {
    if (deadline.aborted) throw billed(new ScoutsError("model_timeout", { cause: error }));
    if (!unwanted.aborted) throw billed(modelFailure(error));
  }
  // The library ends a stream that was cut off by a signal as if it were whole.
  if (unwanted.aborted) return draft;
  if (deadline.aborted) throw billed(new ScoutsError("model_timeout"));
  if (draft.finished) return draft;
  throw billed(new ScoutsError(draft.strange > 0 ? "model_answer_invalid" : "model_unavailable"));
}

function usageOf(request: ToolRequest, draft: StreamDraft): TokenUsage {
  const answered = draft.text.length + draft.calls.reduce((sum, call) => sum + call.arguments.length, 0);
  return billedFor({ asked: JSON.stringify(request.turns.reveal()).length, answered }, draft.usage);
}
