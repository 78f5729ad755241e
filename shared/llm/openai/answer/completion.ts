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
function estimatedTokens(characters: number): number {
  return Math.ceil(characters / charactersPerToken);
}

/** A token is a byte at least, and a character of ours (UTF-16) three at most. */
const mostTokensPerCharacter = 3;
/** What servers put around a request at most: templates, tools, a form, an image by its tiles. */
const aroundTokens = 30_000;
/** The longest answer of any model, thinking that it does not show among it. */
const longestAnswerTokens = 131_072;

/**
 * What was billed for so many characters: as the server says, or about as much where it does not, or says more than it can have
 * counted. A mistake of its own in one answer is not to use up a person's month.
 */
export function billedFor(
  characters: { readonly asked: number; readonly answered: number },
  said: TokenUsage | undefined,
): TokenUsage {
  const { asked, answered } = characters;
  const isCredible =
    said !== undefined &&
    said.inputTokens <= asked * mostTokensPerCharacter + aroundTokens &&
    said.outputTokens <= answered * mostTokensPerCharacter + longestAnswerTokens;
  return isCredible ? said : { inputTokens: estimatedTokens(asked), outputTokens: estimatedTokens(answered) };
}

/** The tokens of two calls together. */
export function addUsage(one: TokenUsage, other: TokenUsage): TokenUsage {
  return { inputTokens: one.inputTokens + other.inputTokens, outputTokens: one.outputTokens + other.outputTokens };
}
