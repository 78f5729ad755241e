import * as z from "zod";
import type { Verdict } from "../../events/proposals/verdict.ts";
import { type HttpAnswer, json, serveLoopback } from "../../infra/standins/loopback-server.ts";

/** What the model says to a prompt. */
export type ModelReply =
  | { readonly verdict: Verdict; readonly model?: string }
  /** An answer as text, whatever it is. */
  | { readonly content: string }
  | { readonly refusal: string }
  /** The HTTP answer itself. */
  | { readonly status: number; readonly body: string };

export interface ScriptedModel {
  /** What a home finds it by. Proposals are not read by it besides: it knows nothing but what it is told to say. */
  readonly environment: Readonly<Record<"OPENAI_BASE_URL" | "OPENAI_API_KEY" | "OPENAI_MODEL" | "CATEGORIZE", string>>;
  requests(): number;
  close(): Promise<void>;
}

/** A prompt with a picture comes in parts (OpenAI, "Images and vision"). */
const parts = z.array(z.looseObject({ type: z.string(), text: z.string().default("") }));
const content = z.union([z.string(), parts.transform((all) => all.map(({ text }) => text).join(""))]);
const chatRequest = z.object({
  messages: z.array(z.object({ role: z.string(), content })),
  max_tokens: z.number().optional(),
});
export const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const modelName = "scripted-1";

/** An OpenAI-compatible server that answers what it is told; a reply that never comes is given up when it is closed. */
export async function startScriptedModel(
  reply: (prompt: string) => ModelReply | Promise<ModelReply>,
  apiKey = "scripted",
): Promise<ScriptedModel> {
  let requests = 0;
  const closing = Promise.withResolvers<ModelReply>();
  const server = await serveLoopback(async ({ method, body }) => {
    if (method === "GET") return modelList();
    const { messages, max_tokens } = chatRequest.parse(JSON.parse(body.toString()));
    // A probe asks for one token, and is no request of the work that is counted.
    if (max_tokens !== 1) requests += 1;
    const prompt = messages.find(({ role }) => role === "user")?.content ?? "";
    return answerOf(await Promise.race([reply(prompt), closing.promise]));
  });
  return {
    environment: {
      OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: apiKey,
      OPENAI_MODEL: modelName,
      CATEGORIZE: "off",
    },
    requests: () => requests,
    close() {
      closing.resolve({ status: 503, body: "" });
      return server.close();
    },
  };
}

/** What a server has, as `GET /models` tells it. */
export const modelList = (): HttpAnswer => json(200, { object: "list", data: [{ id: modelName, object: "model" }] });

export function answerOf(reply: ModelReply): HttpAnswer {
  if ("status" in reply) {
    const patience = reply.status === 429 ? { "retry-after": "1" } : {};
    return { status: reply.status, headers: { "content-type": "application/json", ...patience }, body: reply.body };
  }
  const message =
    "refusal" in reply
      ? { role: "assistant", content: null, refusal: reply.refusal }
      : { role: "assistant", content: "verdict" in reply ? JSON.stringify(reply.verdict) : reply.content };
  const model = ("model" in reply ? reply.model : undefined) ?? modelName;
  return json(200, {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage,
  });
}

export const relevant = (reason = "Somebody asks for something."): ModelReply => ({
  verdict: { verdict: "relevant", reason, reasonCode: "personal", confidence: 0.9 },
});
export const spam = (reason = "Somebody sells something."): ModelReply => ({
  verdict: { verdict: "spam", reason, reasonCode: "marketing", confidence: 0.95 },
});
