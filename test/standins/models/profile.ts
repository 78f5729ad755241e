import * as z from "zod";
import { type HttpAnswer, json } from "../../../infra/standins/loopback-server.ts";

const call = z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.string() }) });
const part = z.looseObject({ type: z.string(), text: z.string().optional(), image_url: z.unknown().optional() });
const message = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(part)]).nullish(),
  tool_calls: z.array(call).optional(),
});

/** So much of a chat completion's request every server looks at. */
export const chatBodySchema = z.looseObject({
  model: z.string(),
  messages: z.array(message),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  temperature: z.number().optional(),
  tools: z.array(z.unknown()).optional(),
  tool_choice: z.unknown().optional(),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z
        .looseObject({ name: z.string().optional(), schema: z.unknown().optional(), strict: z.boolean().optional() })
        .optional(),
    })
    .optional(),
});
export type ChatBody = z.infer<typeof chatBodySchema>;

/** What the model behind the server is to say. */
export interface ModelOutput {
  readonly text?: string;
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[];
}

/** One kind of server: what it takes and refuses, in its own words. */
export interface ServerProfile {
  readonly name: string;
  /** What stands before `/chat/completions`. */
  readonly basePath: string;
  /** The one model it has, and what it calls it in answers. */
  readonly model: string;
  readonly answeredModel: string;
  readonly needsKey: boolean;
  /** Tokens the model spends on thinking before each answer, within its cap. */
  readonly thinkingTokens: number;
  /** Where thinking is told; `content` is a `<think>` block before the answer. */
  readonly thinkingIn: "hidden" | "reasoning_content" | "reasoning" | "content";
  /** The formats whose schema the server holds the model to. */
  readonly enforces: readonly string[];
  /** The cap it goes by: what it does not know has no effect. */
  readonly caps: readonly ("max_tokens" | "max_completion_tokens")[];
  unauthorised(): HttpAnswer;
  unknownModel(model: string): HttpAnswer;
  unknownPath(path: string): HttpAnswer;
  /** Its answer to a request it does not take. */
  refusal(body: ChatBody): HttpAnswer | undefined;
  /** What comes before the first piece of a stream. */
  readonly streamHead?: string;
}

/** OpenAI's shape of an error. */
export function openAiError(
  status: number,
  message: string,
  facts: { readonly type?: string; readonly param?: string | null; readonly code?: string | number | null } = {},
): HttpAnswer {
  const { type = "invalid_request_error", param = null, code = null } = facts;
  return json(status, { error: { message, type, param, code } });
}

/** The first key of a request that is not among these. */
export function unknownKey(body: ChatBody, known: ReadonlySet<string>): string | undefined {
  return Object.keys(body).find((key) => !known.has(key));
}

/** The chat completions' parameters OpenAI documents, as far as a client of ours may send them. */
export const openAiParameters: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "stream",
  "stream_options",
  "max_tokens",
  "max_completion_tokens",
  "temperature",
  "tools",
  "tool_choice",
  "response_format",
  "store",
]);

const record = z.record(z.string(), z.unknown());

/** The first keyword, anywhere in a schema, that is among those refused; property names are no keywords. */
export function refusedKeyword(schema: unknown, refused: ReadonlySet<string>): string | undefined {
  const read = record.safeParse(schema);
  if (!read.success) return undefined;
  for (const [keyword, value] of Object.entries(read.data)) {
    if (refused.has(keyword)) return keyword;
    const below =
      keyword === "properties" || keyword === "$defs"
        ? Object.values(record.safeParse(value).data ?? {})
        : Array.isArray(value)
          ? value
          : [value];
    for (const each of below) {
      const found = refusedKeyword(each, refused);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** Why a schema is none for strict mode: every property required, none besides. */
export function looseObject(schema: unknown): string | undefined {
  const read = record.safeParse(schema);
  if (!read.success) return undefined;
  const properties = record.safeParse(read.data["properties"]).data;
  if (properties) {
    if (read.data["additionalProperties"] !== false)
      return "'additionalProperties' is required to be supplied and to be false.";
    const required = z.array(z.string()).safeParse(read.data["required"]).data ?? [];
    const missing = Object.keys(properties).find((name) => !required.includes(name));
    if (missing !== undefined) {
      return `'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
    }
  }
  const below = [...Object.values(properties ?? {}), read.data["items"]];
  return below.map(looseObject).find((found) => found !== undefined);
}

/** Keywords that bound values; strict modes differ in which of them they take. */
export const boundingKeywords: ReadonlySet<string> = new Set([
  "minLength",
  "maxLength",
  "pattern",
  "format",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
]);
