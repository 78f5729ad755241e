import { type HttpAnswer, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { type Message, type ModelOutput, startToolModel } from "../e2e/agents/tool-model.ts";
import { type ModelReply, modelList, startScriptedModel } from "../e2e/scripted-model.ts";

export interface ContentScripts {
  /** What it says of a mail or a file. */
  reply(prompt: string): ModelReply | Promise<ModelReply>;
  /** What it says in a conversation. */
  say(messages: readonly Message[]): ModelOutput | Promise<ModelOutput>;
  /** What it answers instead, by the request's body. */
  instead?(body: string): HttpAnswer | undefined;
}

export interface ContentModel {
  readonly environment: { OPENAI_BASE_URL: string; OPENAI_API_KEY: string; OPENAI_MODEL: string };
  close(): Promise<void>;
}

/** One address for both kinds of questions a cloud asks: single ones, and conversations, which are streamed. */
export async function startContentModel({ reply, say, instead }: ContentScripts): Promise<ContentModel> {
  const single = await startScriptedModel(reply);
  const conversing = await startToolModel(say);
  const server = await serveLoopback(async ({ method, url, body }): Promise<HttpAnswer> => {
    if (method === "GET") return modelList();
    const text = body.toString();
    const other = instead?.(text);
    if (other) return other;
    const { environment } = /"stream":\s*true/.test(text) ? conversing : single;
    const target = new URL(url.pathname.slice(1), new URL("/", environment.OPENAI_BASE_URL));
    const answer = await fetch(target, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${environment.OPENAI_API_KEY}` },
      body: text,
    });
    const type = answer.headers.get("content-type") ?? "application/json";
    return { status: answer.status, headers: { "content-type": type }, body: await answer.text() };
  });
  return {
    environment: { ...conversing.environment, OPENAI_BASE_URL: `${server.url}/v1` },
    async close() {
      await Promise.all([single.close(), conversing.close()]);
      await server.close();
    },
  };
}
