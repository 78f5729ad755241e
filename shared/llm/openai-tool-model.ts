import OpenAI from "openai";
import { ScoutsError } from "../../events/errors.ts";
import type { TokenUsage } from "./chat-model.ts";
import type { ModelTurn, ToolAnswer, ToolModel, ToolRequest } from "./tool-model.ts";
import { Transient } from "../privacy/transient.ts";
import { modelFailure, modelName } from "./openai-failure.ts";
import type { OpenAiOptions } from "./openai-model.ts";

/** More than the protocol allows a step, less than could fill the memory. */
const maxCalls = 32;
/** Characters a token has about, when the service does not say what it counted. */
const charactersPerToken = 4;

interface Draft {
  text: string;
  refusal: string;
  readonly calls: { name: string; arguments: string }[];
  usage: TokenUsage | undefined;
  model: string;
  finished: boolean;
}

/** {@link ToolModel} on any endpoint that speaks OpenAI's chat completions with tools, streamed. */
export class OpenAiToolModel implements ToolModel {
  readonly #client: OpenAI;
  readonly #model: string;

  constructor(options: OpenAiOptions) {
    this.#client = new OpenAI({ apiKey: options.apiKey, baseURL: options.baseUrl, maxRetries: 0 });
    this.#model = options.model;
  }

  async converse(request: ToolRequest, onText: (piece: Transient<string>) => Promise<void>): Promise<ToolAnswer> {
    const timeoutMs = Math.max(1000, request.timeoutMs);
    // The library's own timeout ends with the answer's headers: a stream that stands still would outlive the function.
    const overdue = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([overdue, request.signal]);
    const draft: Draft = { text: "", refusal: "", calls: [], usage: undefined, model: this.#model, finished: false };
    try {
      const stream = await this.#client.chat.completions.create(this.#body(request), { timeout: timeoutMs, signal });
      for await (const chunk of stream) {
        const piece = take(draft, chunk);
        if (piece !== "") await onText(new Transient(piece));
      }
    } catch (error) {
      if (!request.signal.aborted) throw modelFailure(error);
    }
    if (overdue.aborted || !(draft.finished || request.signal.aborted)) throw new ScoutsError("model_unavailable");
    const usage = draft.usage ?? estimated(request, draft);
    if (draft.refusal !== "") throw new ScoutsError("model_refused", { data: { ...usage } });
    const { text, calls } = draft;
    return {
      text: new Transient(text),
      calls: new Transient(calls),
      usage,
      model: modelName(draft.model, this.#model),
    };
  }

  #body(request: ToolRequest): OpenAI.ChatCompletionCreateParamsStreaming {
    return {
      model: this.#model,
      // OpenAI keeps stored completions for 30 days; nothing of ours is to be kept.
      store: false,
      temperature: 0,
      max_completion_tokens: request.maxOutputTokens,
      messages: request.turns.reveal().map(messageOf),
      tools: request.tools.map((tool) => ({
        type: "function",
        function: { name: tool.name, description: tool.description, parameters: { ...tool.parameters } },
      })),
      tool_choice: request.toolChoice,
      stream: true,
      stream_options: { include_usage: true },
    };
  }
}

function messageOf(turn: ModelTurn): OpenAI.ChatCompletionMessageParam {
  switch (turn.role) {
    case "tool":
      return { role: "tool", tool_call_id: turn.callId, content: turn.text };
    case "assistant": {
      const calls = turn.calls.map(({ callId, name, arguments: given }) => ({
        id: callId,
        type: "function" as const,
        function: { name, arguments: given },
      }));
      const content = turn.text === "" ? null : turn.text;
      return { role: "assistant", content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
    }
    case "user":
      return { role: "user", content: turn.image === undefined ? turn.text : withImage(turn.text, turn.image) };
    case "system":
      return { role: "system", content: turn.text };
  }
}

/** Low detail: a fixed, small price for every image, whatever its size (OpenAI, "Images and vision"). */
function withImage(text: string, url: string): OpenAI.ChatCompletionContentPart[] {
  return [
    { type: "text", text },
    { type: "image_url", image_url: { url, detail: "low" } },
  ];
}

/** Adds a piece of the stream to what there is: calls come in pieces as well, told apart by their place. @returns new text */
function take(draft: Draft, chunk: OpenAI.ChatCompletionChunk): string {
  draft.model = chunk.model || draft.model;
  if (chunk.usage)
    draft.usage = { inputTokens: chunk.usage.prompt_tokens, outputTokens: chunk.usage.completion_tokens };
  const choice = chunk.choices[0];
  if (!choice) return "";
  if (choice.finish_reason) draft.finished = true;
  draft.refusal += choice.delta.refusal ?? "";
  for (const { index, function: named } of choice.delta.tool_calls ?? []) {
    if (index >= maxCalls) continue;
    while (draft.calls.length <= index) draft.calls.push({ name: "", arguments: "" });
    const call = draft.calls[index];
    if (!call) continue;
    call.name += named?.name ?? "";
    call.arguments += named?.arguments ?? "";
  }
  const piece = choice.delta.content ?? "";
  draft.text += piece;
  return piece;
}

function estimated(request: ToolRequest, draft: Draft): TokenUsage {
  const asked = JSON.stringify(request.turns.reveal()).length;
  const answered = draft.text.length + draft.calls.reduce((sum, call) => sum + call.arguments.length, 0);
  return {
    inputTokens: Math.ceil(asked / charactersPerToken),
    outputTokens: Math.ceil(answered / charactersPerToken),
  };
}
