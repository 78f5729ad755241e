import type { ModelRefusal } from "../model-refusal.ts";

/** What may be left out of a request without changing what is asked for. */
export type Omissible = "temperature" | "store" | "stream_options" | "detail" | "tool_choice" | "system";

/** The form of request one server takes for one model. Every concession takes something away, so they come to an end. */
export interface Dialect {
  readonly tokenCap: "max_completion_tokens" | "max_tokens" | "none";
  readonly format: "json_schema" | "json_object" | "prompt";
  /** Whether the schema goes as a strict one. */
  readonly strict: boolean;
  readonly omitted: ReadonlySet<Omissible>;
  /** Whether the form wanted is also said in words; always where the server does not enforce it. */
  readonly schemaInPrompt: boolean;
  /** Room for thinking that is not shown, in tokens, beside what the answer may take. */
  readonly thinkingTokens: number;
  /** The most tokens the server lets an answer have, where it said so. */
  readonly maxOutputTokens: number;
  /**
   * OpenAI's or Azure's own server: it keeps completions for 30 days unless told not to, so that `store: false` is never
   * given up, and holds answers to a strict schema, so that a bad one is the model's affair and not the form's.
   */
  readonly isOpenAi: boolean;
}

/**
 * What a model that thinks may spend before its answer: "a few hundred to tens of thousands" of tokens (OpenAI,
 * "Reasoning models"), here for short answers. A cap only: what is not spent costs nothing.
 */
export const thinkingAllowance = 8_192;

/** OpenAI's and Azure's own hosts: the only ones that refuse `max_tokens`, for models that think. */
const openAiHosts =
  /(^|\.)(api\.openai\.com|openai\.azure\.com|services\.ai\.azure\.com|cognitiveservices\.azure\.com)$/;

/** How a server is spoken to before it has said anything. */
export function firstDialect(baseUrl: string): Dialect {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  const isOpenAi = openAiHosts.test(host);
  return {
    tokenCap: isOpenAi ? "max_completion_tokens" : "max_tokens",
    format: "json_schema",
    strict: true,
    omitted: new Set(),
    schemaInPrompt: false,
    thinkingTokens: 0,
    maxOutputTokens: Number.POSITIVE_INFINITY,
    isOpenAi,
  };
}

/** The cap a request carries. */
export function cappedTokens({ thinkingTokens, maxOutputTokens }: Dialect, wanted: number): number {
  return Math.min(wanted + thinkingTokens, maxOutputTokens);
}

type Concession = (dialect: Dialect, refusal: ModelRefusal, wantedTokens: number) => Dialect | undefined;

const omit =
  (part: Omissible): Concession =>
  (dialect) =>
    dialect.omitted.has(part) || (part === "store" && dialect.isOpenAi)
      ? undefined
      : { ...dialect, omitted: new Set([...dialect.omitted, part]) };

/** The cap lowered to what the server's words allow; undefined when they are not about its size. */
export const lowerCap: Concession = (dialect, refusal, wantedTokens) => {
  if (!refusal.says(/max_(completion_|new_)?tokens/)) return undefined;
  if (!refusal.says(/too (large|high|big)|at most|less than|exceed|maximum/)) return undefined;
  const most = refusal.numberBelow(cappedTokens(dialect, wantedTokens));
  return most === undefined ? undefined : { ...dialect, maxOutputTokens: most };
};

/** A window, and what of it a text takes, as OpenAI, vLLM and OpenRouter say it. */
const windowWords = /maximum context length is (\d{1,8}) tokens/;
const takenWords = /(\d{1,8}) (?:input tokens|of text input|in (?:the|your) (?:messages|prompt))/;
/** With less than this of the room it wants an answer would be cut, or none. */
const leastShare = 1 / 4;

/**
 * The cap for one text that leaves an answer less of the window than was asked for. It is no other text's, so it is not remembered.
 *
 * @returns undefined when the server's words do not say both, or no answer has room
 */
export function roomBeside(refusal: ModelRefusal, dialect: Dialect, wantedTokens: number): number | undefined {
  const [size, taken] = [refusal.numberIn(windowWords), refusal.numberIn(takenWords)];
  if (size === undefined || taken === undefined) return undefined;
  const room = size - taken;
  return room < cappedTokens(dialect, wantedTokens) && room >= wantedTokens * leastShare ? room : undefined;
}

/** Whether it is the window that a cap does not fit, and not the server's own most. */
export const isOfWindow = (refusal: ModelRefusal): boolean => refusal.numberIn(windowWords) !== undefined;

const otherCap: Concession = (dialect, refusal, wantedTokens) => {
  const lower = lowerCap(dialect, refusal, wantedTokens);
  if (lower) return lower;
  if (dialect.tokenCap === "none") return undefined;
  const refused = dialect.tokenCap;
  const other = refused === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  // The name it should have is said, or it was the second of the two.
  const isSecond = (refused === "max_tokens") === dialect.isOpenAi;
  return { ...dialect, tokenCap: isSecond ? "none" : other };
};

const lesserFormat: Concession = (dialect, refusal) => {
  if (dialect.format === "prompt") return undefined;
  if (dialect.format === "json_schema" && dialect.strict && refusal.says(/\bstrict\b/)) {
    return { ...dialect, strict: false };
  }
  const takesNoObject = refusal.says(/json_object'? is not|must be '?json_schema'? or '?text/);
  const format = dialect.format === "json_schema" && !takesNoObject ? "json_object" : "prompt";
  return { ...dialect, format, schemaInPrompt: true };
};

/** What a parameter's name, or its server's words, may be given up for; the first that matches counts. */
const concessions: readonly (readonly [RegExp, Concession])[] = [
  [/response_format|json_schema|json_object|structured output|guided_|grammar|json mode/, lesserFormat],
  [/max_completion_tokens|max_tokens|max_new_tokens/, otherCap],
  [/temperature/, omit("temperature")],
  [/stream_options|include_usage/, omit("stream_options")],
  [/\bstore\b/, omit("store")],
  [/image_url\.detail|\bdetail\b/, omit("detail")],
  [/tool_choice/, omit("tool_choice")],
  [/system role|role.{0,60}\bsystem\b|\bsystem\b.{0,40}\brole|messages[[.]0\]?\.role/, omit("system")],
];

/**
 * The dialect after a refusal of the request's form; undefined when nothing in it can be given up for that.
 *
 * @param wantedTokens the cap the caller asked for
 */
export function adapted(dialect: Dialect, refusal: ModelRefusal, wantedTokens: number): Dialect | undefined {
  const named = refusal.parameters();
  if (named.length === 0) {
    const found = concessions.find(([words]) => refusal.says(words));
    return found?.[1](dialect, refusal, wantedTokens);
  }
  let next = dialect;
  for (const name of named) {
    const found = concessions.find(([words]) => words.test(name));
    next = found?.[1](next, refusal, wantedTokens) ?? next;
  }
  return next === dialect ? undefined : next;
}

/** Whether a server says that the cap left no room beside the thinking (OpenAI's models that think). */
export function hitsOutputLimit(refusal: ModelRefusal): boolean {
  return refusal.says(/could not finish the message|model output limit was reached/);
}

/** With the form said in words; undefined when it is already, or need not be. */
export function withSchemaInPrompt(dialect: Dialect): Dialect | undefined {
  return dialect.schemaInPrompt || dialect.isOpenAi ? undefined : { ...dialect, schemaInPrompt: true };
}

/** With room for thinking; undefined when there is some already, or the server allows no more. */
export function withThinking(dialect: Dialect, wantedTokens: number): Dialect | undefined {
  if (dialect.thinkingTokens > 0 || dialect.maxOutputTokens <= wantedTokens) return undefined;
  return { ...dialect, thinkingTokens: thinkingAllowance };
}

/** So much of a window that is too small for thinking as such: what is left is for texts. */
const thinkingShare = 1 / 4;

/** With the room for thinking that suits a window, where the server says how large it is and no text would fit beside what there was. */
export function withThinkingThatFits(dialect: Dialect, refusal: ModelRefusal): Dialect | undefined {
  const size = refusal.numberIn(windowWords);
  if (size === undefined || dialect.thinkingTokens < size) return undefined;
  return { ...dialect, thinkingTokens: Math.floor(size * thinkingShare) };
}

/** Less room for thinking, for one text that fills the window; undefined when there was none. */
export function lessThinking({ thinkingTokens }: Dialect): number | undefined {
  if (thinkingTokens === 0) return undefined;
  return thinkingTokens > 1_024 ? thinkingTokens / 4 : 0;
}
