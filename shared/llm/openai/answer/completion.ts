import * as z from "zod";
import { ScoutsError } from "../../../../events/errors.ts";
import type { TokenUsage } from "../../chat-model.ts";

const part = z.looseObject({ text: z.string().optional() });

/** So much of a completion, or of a piece of a stream, is relied on; servers differ in the rest. */
const message = z.looseObject({
  content: z.union([z.string(), z.array(part)]).nullish(),
  refusal: z.string().nullish(),
});
const completionSchema = z.looseObject({
  choices: z.array(z.looseObject({ message: message.nullish(), finish_reason: z.string().nullish() })),
  model: z.unknown().optional(),
  usage: z.unknown().optional(),
});

const count = z.number().int().nonnegative();
const usageSchema = z.looseObject({ prompt_tokens: count, completion_tokens: count });

/** What a whole completion says. */
export interface CompletionText {
  /** Without what the server itself marks as thinking. */
  readonly text: string;
  /** The model or its server refused; `text` is no answer. */
  readonly refused: boolean;
  /** The cap was reached. */
  readonly cutShort: boolean;
  readonly usage: TokenUsage | undefined;
  readonly model: unknown;
}

/** @throws ScoutsError model_not_an_api when it is no completion at all */
export function readCompletion(value: unknown): CompletionText {
  const read = completionSchema.safeParse(value);
  if (!read.success) throw new ScoutsError("model_not_an_api");
  const { choices, model, usage } = read.data;
  const choice = choices[0];
  const reason = choice?.finish_reason;
  // OpenRouter ends an answer so when its provider fails on the way.
  if (reason === "error") throw new ScoutsError("model_unavailable");
  return {
    text: textOf(choice?.message?.content),
    refused: Boolean(choice?.message?.refusal) || reason === "content_filter",
    cutShort: reason === "length",
    usage: usageOf(usage),
    model,
  };
}

/** Mistral's models that think answer in parts, of which only those of text are the answer. */
function textOf(content: z.infer<typeof message>["content"]): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text }) => text ?? "").join("");
}

/** What was billed; undefined when the server does not say. */
export function usageOf(value: unknown): TokenUsage | undefined {
  const read = usageSchema.safeParse(value);
  if (!read.success) return undefined;
  return { inputTokens: read.data.prompt_tokens, outputTokens: read.data.completion_tokens };
}

/** Characters a token has about, when the service does not say what it counted. */
const charactersPerToken = 4;

/** About how many tokens a text has, rounded up; for services that do not count them. */
export function estimatedTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** The tokens of two calls together. */
export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  return { inputTokens: one.inputTokens + other.inputTokens, outputTokens: one.outputTokens + other.outputTokens };
}
