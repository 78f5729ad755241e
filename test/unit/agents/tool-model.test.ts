import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { agentTools } from "../../../shared/agents/conversation/tools.ts";
import { OpenAiToolModel } from "../../../shared/llm/openai-tool-model.ts";
import type { ModelTurn } from "../../../shared/llm/tool-model.ts";
import { Transient } from "../../../shared/privacy/transient.ts";

/** An endpoint that streams exactly this, and keeps what it was asked. */
async function endpoint(events: readonly unknown[], options: { readonly hangs?: boolean } = {}) {
  const asked: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      asked.push(JSON.parse(body));
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of events)
        response.write(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
      if (!options.hangs) response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const model = new OpenAiToolModel({ apiKey: "k", baseUrl: `http://127.0.0.1:${port}/v1`, model: "m-1" });
  return { model, asked };
}

const chunk = (delta: object, finish: string | null = null) => ({
  id: "c",
  object: "chat.completion.chunk",
  created: 0,
  model: "m-1-0301",
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const usage = {
  id: "c",
  object: "chat.completion.chunk",
  created: 0,
  model: "m-1-0301",
  choices: [],
  usage: { prompt_tokens: 70, completion_tokens: 7, total_tokens: 77 },
};
const turns: readonly ModelTurn[] = [
  { role: "system", text: "Answer." },
  { role: "user", text: "?" },
  { role: "assistant", text: "", calls: [{ callId: "cal_1", name: "list_files", arguments: "{}" }] },
  { role: "tool", callId: "cal_1", text: "a.md" },
];
const request = (more: { timeoutMs?: number; signal?: AbortSignal } = {}) => ({
  turns: new Transient(turns),
  tools: agentTools("home").slice(0, 1),
  toolChoice: "auto" as const,
  maxOutputTokens: 50,
  timeoutMs: 120_000,
  signal: new AbortController().signal,
  ...more,
});
const nobody = async () => {};

test("P1: asks that nothing be stored, in OpenAI's form, with usage, once", async () => {
  const { model, asked } = await endpoint([chunk({ content: "Hi" }), chunk({}, "stop"), usage, "[DONE]"]);
  const answer = await model.converse(request(), nobody);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    store: false,
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: 50,
    tool_choice: "auto",
    tools: [{ type: "function", function: { name: agentTools("home")[0]?.name } }],
    messages: [
      { role: "system", content: "Answer." },
      { role: "user", content: "?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "cal_1", type: "function", function: { name: "list_files" } }],
      },
      { role: "tool", tool_call_id: "cal_1", content: "a.md" },
    ],
  });
  expect(answer.text.reveal()).toBe("Hi");
  expect(answer.usage).toEqual({ inputTokens: 70, outputTokens: 7 });
  expect(answer.model).toBe("m-1-0301");
});

test("what was cut at the cap is told as such, and what was not is not", async () => {
  for (const reason of ["length", "stop"]) {
    const { model } = await endpoint([chunk({ content: "The beds are" }), chunk({}, reason), usage, "[DONE]"]);
    const answer = await model.converse(request(), nobody);
    expect([answer.text.reveal(), answer.isCut]).toEqual(["The beds are", reason === "length"]);
  }
});

test("an image goes beside its text, in low detail", async () => {
  const { model, asked } = await endpoint([chunk({ content: "A bed." }), chunk({}, "stop"), usage, "[DONE]"]);
  const image = "data:image/png;base64,aGk=";
  await model.converse(
    { ...request(), turns: new Transient([{ role: "user", text: "Look.", image }] as const) },
    nobody,
  );
  expect(asked[0]?.["messages"]).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "Look." },
        { type: "image_url", image_url: { url: image, detail: "low" } },
      ],
    },
  ]);
});

test("calls that come in turns are told apart by their place", async () => {
  const { model } = await endpoint([
    chunk({
      role: "assistant",
      content: "Let me look. ",
      tool_calls: [{ index: 0, id: "a", function: { name: "list_files", arguments: "" } }],
    }),
    chunk({ tool_calls: [{ index: 1, id: "b", function: { name: "grep_files", arguments: '{"pat' } }] }),
    chunk({
      tool_calls: [
        { index: 0, function: { arguments: "{}" } },
        { index: 1, function: { arguments: 'tern":"x"}' } },
      ],
    }),
    chunk({}, "tool_calls"),
    usage,
    "[DONE]",
  ]);
  const { calls, text } = await model.converse(request(), nobody);
  expect(text.reveal()).toBe("Let me look. ");
  expect(calls.reveal()).toEqual([
    { name: "list_files", arguments: "{}" },
    { name: "grep_files", arguments: '{"pattern":"x"}' },
  ]);
});

test.each([
  ["each by itself", (calls: object[]) => calls.map((call) => chunk({ tool_calls: [call] }))],
  ["all at once", (calls: object[]) => [chunk({ tool_calls: calls })]],
])("calls that come whole, all with the same place, are told apart by their ids: %s", async (_name, sent) => {
  const calls = [
    { index: 0, id: "a", function: { name: "list_files", arguments: "{}" } },
    { index: 0, id: "b", function: { name: "grep_files", arguments: '{"pattern":"x"}' } },
  ];
  const { model } = await endpoint([...sent(calls), chunk({}, "tool_calls"), usage, "[DONE]"]);
  const answer = await model.converse(request(), nobody);
  expect(answer.calls.reveal()).toEqual([
    { name: "list_files", arguments: "{}" },
    { name: "grep_files", arguments: '{"pattern":"x"}' },
  ]);
});

test.each([
  ["the same", () => "a"],
  ["another", (at: number) => `id-${at}`],
])("a call that has an id with every piece of it, %s each time, is one call", async (_name, idOf) => {
  const pieces = ["{", '"pattern":', '"x"}'].map((given, at) =>
    chunk({
      tool_calls: [{ index: 0, id: idOf(at), function: { ...(at === 0 && { name: "grep_files" }), arguments: given } }],
    }),
  );
  const { model } = await endpoint([...pieces, chunk({}, "tool_calls"), usage, "[DONE]"]);
  const answer = await model.converse(request(), nobody);
  expect(answer.calls.reveal()).toEqual([{ name: "grep_files", arguments: '{"pattern":"x"}' }]);
});

test("a service that does not count is counted for", async () => {
  const { model } = await endpoint([chunk({ content: "word ".repeat(40) }), chunk({}, "stop"), "[DONE]"]);
  const answer = await model.converse(request(), nobody);
  expect(answer.usage).toEqual({ inputTokens: Math.ceil(JSON.stringify(turns).length / 4), outputTokens: 50 });
});

test("what no service can have counted is counted for: one answer does not use up a month", async () => {
  const wrong = { ...usage, usage: { prompt_tokens: 3_000_000_000, completion_tokens: 50 } };
  const { model } = await endpoint([chunk({ content: "word ".repeat(40) }), chunk({}, "stop"), wrong, "[DONE]"]);
  const answer = await model.converse(request(), nobody);
  expect(answer.usage).toEqual({ inputTokens: Math.ceil(JSON.stringify(turns).length / 4), outputTokens: 50 });
});

test("a stream that breaks off is no answer; nor is one that stands still, or a refusal", async () => {
  const broken = await endpoint([chunk({ content: "Half an ans" })]);
  const data = { inputTokens: Math.ceil(JSON.stringify(turns).length / 4), outputTokens: 3 };
  await expect(broken.model.converse(request(), nobody)).rejects.toMatchObject({ code: "model_unavailable", data });
  const still = await endpoint([chunk({ content: "Half" })], { hangs: true });
  const soon = request({ timeoutMs: 100 });
  await expect(still.model.converse(soon, nobody)).rejects.toMatchObject({
    code: "model_timeout",
    data: { outputTokens: 1 },
  });
  const refusing = await endpoint([chunk({ refusal: "No." }), chunk({}, "stop"), usage, "[DONE]"]);
  await expect(refusing.model.converse(request(), nobody)).rejects.toMatchObject({
    code: "model_refused",
    data: { inputTokens: 70, outputTokens: 7 },
  });
});

test("an answer that is not wanted any more ends a stream that stands still", async () => {
  const abort = new AbortController();
  const { model } = await endpoint([chunk({ content: "Half" })], { hangs: true });
  const answer = await model.converse(request({ signal: abort.signal }), async () => abort.abort());
  expect(answer.text.reveal()).toBe("Half");
  expect(answer.usage.inputTokens).toBeGreaterThan(0);
});
