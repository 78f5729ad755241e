import * as z from "zod";
import { json, serveLoopback } from "../../../infra/standins/loopback-server.ts";
import { answerOf, modelList } from "../scripted-model.ts";

const message = z.looseObject({ role: z.string(), content: z.string().nullish() });
const chatRequest = z.object({
  stream: z.boolean().default(false),
  messages: z.array(message),
  max_tokens: z.number().optional(),
});
export type Message = z.infer<typeof message>;

/** What the model says next: an answer, or calls. */
export type ModelOutput =
  | { readonly text: string }
  | { readonly calls: readonly (readonly [name: string, data: object])[] };

export interface ToolModelServer {
  readonly environment: { OPENAI_BASE_URL: string; OPENAI_API_KEY: string; OPENAI_MODEL: string };
  close(): Promise<void>;
}

const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** A model that says what a test makes it say, however bad an idea that is; over OpenAI's wire format, streamed. */
export async function startToolModel(
  say: (messages: readonly Message[]) => ModelOutput | Promise<ModelOutput>,
): Promise<ToolModelServer> {
  const server = await serveLoopback(async ({ method, body }) => {
    if (method === "GET") return modelList();
    const { messages, stream, max_tokens } = chatRequest.parse(JSON.parse(body.toString()));
    if (max_tokens === 1) return answerOf({ content: "ok" });
    if (!stream) return json(503, { error: { message: "not here" } });
    const said = await say(messages);
    const chunk = (delta: object, finish_reason: string | null) => ({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 0,
      model: "scripted-1",
      choices: [{ index: 0, delta, finish_reason }],
    });
    const chunks =
      "text" in said
        ? [chunk({ role: "assistant", content: said.text }, null), chunk({}, "stop")]
        : [
            chunk(
              {
                role: "assistant",
                tool_calls: said.calls.map(([name, data], index) => ({
                  index,
                  id: `c${index}`,
                  type: "function",
                  function: { name, arguments: JSON.stringify(data) },
                })),
              },
              null,
            ),
            chunk({}, "tool_calls"),
          ];
    const lines = [...chunks, { ...chunk({}, null), choices: [], usage }].map(
      (each) => `data: ${JSON.stringify(each)}\n\n`,
    );
    return { status: 200, headers: { "content-type": "text/event-stream" }, body: `${lines.join("")}data: [DONE]\n\n` };
  });
  return {
    environment: { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "scripted", OPENAI_MODEL: "scripted-1" },
    close: () => server.close(),
  };
}

/** What the tools have answered in this conversation, oldest first. */
export const toolResults = (messages: readonly Message[]): string[] =>
  messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? "");
