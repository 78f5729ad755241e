import type OpenAI from "openai";
import type * as z from "zod";
import type { ChatRequest } from "../../chat-model.ts";
import { cappedTokens, type Dialect } from "./dialect.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import { type JsonSchema, strictSchema } from "./strict-schema.ts";

/** What every request carries in a dialect. */
export function commonBody(dialect: Dialect, model: string, maxOutputTokens: number) {
  const cap = cappedTokens(dialect, maxOutputTokens);
  return {
    model,
    // OpenAI keeps stored completions for 30 days; nothing of ours is to be kept.
    ...(dialect.omitted.has("store") ? {} : { store: false }),
    ...(dialect.omitted.has("temperature") ? {} : { temperature: 0 }),
    ...(dialect.tokenCap === "none" ? {} : { [dialect.tokenCap]: cap }),
  };
}

/** A request for an answer of a given form. @param corrects whether the answer before was not of that form */
export function chatBody(
  dialect: Dialect,
  model: string,
  request: ChatRequest<z.ZodType>,
  corrects: boolean,
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const schema: JsonSchema = jsonSchemaOf(request.schema);
  const said = corrects || dialect.schemaInPrompt;
  const system = said ? `${request.system}\n\n${formInWords(schema, corrects)}` : request.system;
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: "system", content: system },
    { role: "user", content: userContent(dialect, request.user.reveal(), request.image?.reveal()) },
  ];
  return {
    ...commonBody(dialect, model, request.maxOutputTokens),
    messages: inRoles(dialect, messages),
    ...responseFormat(dialect, request.schemaName, schema),
  };
}

/**
 * The part of a request that asks for JSON of a form, as far as the service knows such a thing; `{}` where only words
 * can ask for it.
 */
export function responseFormat({ format, strict }: Dialect, name: string, schema: JsonSchema) {
  if (format === "prompt") return {};
  if (format === "json_object") return { response_format: { type: "json_object" as const } };
  const json_schema = { name, schema: strictSchema(schema), ...(strict ? { strict } : {}) };
  return { response_format: { type: "json_schema" as const, json_schema } };
}

function formInWords(schema: JsonSchema, corrects: boolean): string {
  const { $schema: _, ...described } = schema;
  const before = corrects ? "Your last answer was not of the form agreed. " : "";
  return `${before}Answer with exactly one JSON object and nothing else: no words around it, no code fence, all keys of this JSON schema, its values only.\n${JSON.stringify(described)}`;
}

/** Low detail: a fixed, small price for every image, whatever its size (OpenAI, "Images and vision"). */
export function userContent(
  { omitted }: Dialect,
  text: string,
  image: string | undefined,
): string | OpenAI.ChatCompletionContentPart[] {
  if (image === undefined) return text;
  const detail = omitted.has("detail") ? {} : { detail: "low" as const };
  return [
    { type: "text", text },
    { type: "image_url", image_url: { url: image, ...detail } },
  ];
}

/** Chat templates without a system role (Gemma's) take its text at the head of the first user's message. */
export function inRoles(
  { omitted }: Dialect,
  messages: OpenAI.ChatCompletionMessageParam[],
): OpenAI.ChatCompletionMessageParam[] {
  const [first, second, ...rest] = messages;
  if (!omitted.has("system") || first?.role !== "system" || second?.role !== "user") return messages;
  const head = typeof first.content === "string" ? first.content : "";
  const content =
    typeof second.content === "string"
      ? `${head}\n\n${second.content}`
      : [{ type: "text" as const, text: head }, ...second.content];
  return [{ ...second, content }, ...rest];
}
