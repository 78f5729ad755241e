import { describe, expect, onTestFinished, test } from "vitest";
import { verdictSchema } from "../../../events/proposals/verdict.ts";
import { agentTools } from "../../../shared/agents/conversation/tools.ts";
import { fileSummary } from "../../../shared/folders/summarize/file-result.ts";
import { modelFailureClass } from "../../../shared/llm/model-failure-class.ts";
import { OpenAiModel } from "../../../shared/llm/openai-model.ts";
import { OpenAiProbe } from "../../../shared/llm/openai-probe.ts";
import { OpenAiToolModel } from "../../../shared/llm/openai-tool-model.ts";
import type { ModelTurn, ToolRequest } from "../../../shared/llm/tool-model.ts";
import { Transient } from "../../../shared/privacy/transient.ts";
import { azureOpenAi } from "../../standins/models/azure-openai.ts";
import { groq } from "../../standins/models/groq.ts";
import { llamaCpp, llamaCppWithoutTools } from "../../standins/models/llama-cpp.ts";
import { lmStudio } from "../../standins/models/lm-studio.ts";
import { mistral } from "../../standins/models/mistral.ts";
import { ollama, ollamaWithoutTools } from "../../standins/models/ollama.ts";
import { openAi, openAiReasoning } from "../../standins/models/openai.ts";
import { openRouter } from "../../standins/models/openrouter.ts";
import type { ChatBody, ModelOutput, ServerProfile } from "../../standins/models/profile.ts";
import { startModelServer } from "../../standins/models/server.ts";
import { vllm, vllmWithoutTools } from "../../standins/models/vllm.ts";

const verdict = { verdict: "spam", reason: "It sells.", reasonCode: "marketing", confidence: 0.9 };
const summary = { summary: "Plans for the garden.", tag: "doc" };

/** The model behind every server: it judges, summarises, calls a tool when it may, and answers when it has results. */
function says(body: ChatBody): ModelOutput {
  const asked = JSON.stringify(body.messages);
  if (body.messages.some(({ role }) => role === "tool")) return { text: "There is one file: a.md." };
  if (body.tools) return { calls: [{ name: "list_files", arguments: '{"project":"p"}' }] };
  if (asked.includes("Judge")) return { text: JSON.stringify(verdict) };
  if (asked.includes("Summarise")) return { text: JSON.stringify(summary) };
  return { text: "ok" };
}

/** The hosts that are known by name are reached at the stand-in all the same. */
const hosts: Record<string, string> = {
  [openAi.name]: "https://api.openai.com/v1",
  [openAiReasoning.name]: "https://api.openai.com/v1",
  [azureOpenAi.name]: "https://mine.openai.azure.com/openai/v1",
};

async function started(profile: ServerProfile, more: { model?: string; apiKey?: string; path?: string } = {}) {
  const server = await startModelServer(profile, says);
  onTestFinished(() => server.close());
  const host = hosts[profile.name];
  const baseUrl = (host ?? server.url) + (more.path ?? "");
  const redirected: typeof fetch = (input, init) => fetch(String(input).replace(host ?? "-", server.url), init);
  const options = { apiKey: "k", model: profile.model, ...more, baseUrl, fetch: redirected };
  const counted = async (act: () => Promise<unknown>) => {
    const before = server.requests.length;
    await act();
    return server.requests.length - before;
  };
  return { server, options, counted };
}

const judge = (model: OpenAiModel, body = "Buy now!") =>
  model.complete({
    system: "Judge the mail.",
    user: new Transient(body),
    schema: verdictSchema,
    schemaName: "triage_verdict",
    maxOutputTokens: 200,
    timeoutMs: 120_000,
  });

const summarise = (model: OpenAiModel, image = false) =>
  model.complete({
    system: "Summarise the file.",
    user: new Transient("Beans, then roses."),
    ...(image ? { image: new Transient("data:image/png;base64,aGk=") } : {}),
    schema: fileSummary,
    schemaName: "folder_file_summary_text",
    maxOutputTokens: 160,
    timeoutMs: 120_000,
    tries: 1,
  });

const begun: readonly ModelTurn[] = [
  { role: "system", text: "Answer from the files." },
  { role: "user", text: "Which files are there?" },
];
const answered: readonly ModelTurn[] = [
  ...begun,
  { role: "assistant", text: "", calls: [{ callId: "cal_1", name: "list_files", arguments: "not json" }] },
  { role: "tool", callId: "cal_1", text: "The arguments are no JSON." },
  { role: "assistant", text: "", calls: [] },
  { role: "user", text: "Again, please." },
  { role: "assistant", text: "", calls: [{ callId: "cal_2", name: "list_files", arguments: '{"project":"p"}' }] },
  { role: "tool", callId: "cal_2", text: "a.md" },
];
const conversation = (turns: readonly ModelTurn[]): ToolRequest => ({
  turns: new Transient(turns),
  tools: agentTools("home"),
  toolChoice: "auto",
  maxOutputTokens: 500,
  timeoutMs: 120_000,
  signal: new AbortController().signal,
});

/** Requests for a verdict, a summary (one try allowed) and a turn of an agent: the first time, and from then on. */
const servers: readonly [ServerProfile, Record<"verdict" | "summary" | "turn", [first: number, next: number]>][] = [
  [openAi, { verdict: [1, 1], summary: [1, 1], turn: [1, 1] }],
  [openAiReasoning, { verdict: [3, 1], summary: [3, 1], turn: [3, 1] }],
  [azureOpenAi, { verdict: [1, 1], summary: [1, 1], turn: [1, 1] }],
  [ollama, { verdict: [2, 1], summary: [2, 1], turn: [2, 1] }],
  [vllm, { verdict: [3, 1], summary: [3, 1], turn: [3, 1] }],
  [llamaCpp, { verdict: [3, 1], summary: [3, 1], turn: [2, 1] }],
  [lmStudio, { verdict: [1, 1], summary: [1, 1], turn: [1, 1] }],
  [groq, { verdict: [3, 1], summary: [3, 1], turn: [2, 1] }],
  [openRouter, { verdict: [2, 1], summary: [2, 1], turn: [1, 1] }],
  [mistral, { verdict: [2, 1], summary: [2, 1], turn: [3, 1] }],
];

describe.each(servers)("P2: $name", (profile, counts) => {
  test("judges a mail, and is asked rightly from the second time on", async () => {
    const { options, counted } = await started(profile);
    const model = new OpenAiModel(options);
    const asked: number[] = [];
    for (let time = 0; time < 2; time += 1) {
      const requests = await counted(async () => {
        const answer = await judge(model);
        expect(answer.value.reveal()).toEqual(verdict);
        expect(answer.usage.inputTokens).toBeGreaterThan(0);
        expect([profile.model, profile.answeredModel]).toContain(answer.model);
      });
      asked.push(requests);
    }
    expect(asked).toEqual(counts.verdict);
  });

  test("summarises a text, and a picture", async () => {
    const { options, counted } = await started(profile);
    const model = new OpenAiModel(options);
    const asked: number[] = [];
    for (const image of [false, true]) {
      const requests = await counted(async () => {
        const answer = await summarise(model, image);
        expect(answer.value.reveal()).toEqual(summary);
      });
      asked.push(requests);
    }
    expect(asked).toEqual(counts.summary);
  });

  test("calls tools, goes on after their results and streams its answer without its thoughts", async () => {
    const { options, counted } = await started(profile);
    const model = new OpenAiToolModel(options);
    const first = await counted(async () => {
      const { calls } = await model.converse(conversation(begun), async () => {});
      expect(calls.reveal()).toEqual([{ name: "list_files", arguments: '{"project":"p"}' }]);
    });
    let shown = "";
    const next = await counted(async () => {
      const answer = await model.converse(conversation(answered), async (piece) => {
        shown += piece.reveal();
      });
      expect(answer.text.reveal()).toBe("There is one file: a.md.");
    });
    expect(shown).toBe("There is one file: a.md.");
    expect([first, next]).toEqual(counts.turn);
  });

  test("is probed with one short request of ours, and names what it has", async () => {
    const { options, server } = await started(profile);
    const probe = new OpenAiProbe(options);
    expect(await probe.probe({ timeoutMs: 120_000, listModels: true })).toEqual({ ok: true, models: [profile.model] });
    const before = server.requests.length;
    expect(await probe.probe({ timeoutMs: 120_000 })).toEqual({ ok: true });
    expect(server.requests.slice(before).map(({ messages }) => messages)).toEqual([
      [{ role: "user", content: "Answer with the word: ok" }],
    ]);
  });

  test("a name it does not know, a wrong path and a wrong key are the configuration's", async () => {
    const unknown = await started(profile, { model: "llama9" });
    expect(await new OpenAiProbe(unknown.options).probe({ timeoutMs: 120_000 })).toMatchObject({
      ok: false,
      code: "model_unknown",
      known: [profile.model],
    });
    await expect(judge(new OpenAiModel(unknown.options))).rejects.toMatchObject({ code: "model_unknown" });
    const lost = await started(profile, { path: "/nothing" });
    const { code } = await judge(new OpenAiModel(lost.options)).catch((error) => error);
    expect(modelFailureClass(code)).toBe("configuration");
    const stranger = await started(profile, { apiKey: "stranger" });
    const probed = await new OpenAiProbe(stranger.options).probe({ timeoutMs: 120_000 });
    expect(probed).toEqual(profile.needsKey ? { ok: false, code: "model_forbidden", status: 401 } : { ok: true });
  });
});

test.each([ollama, vllm, llamaCpp, groq, openRouter])(
  "P2: $name: a batch that begins together is judged as a whole, each with one try",
  async (profile) => {
    const { options } = await started(profile);
    const model = new OpenAiModel(options);
    const answers = await Promise.all(Array.from({ length: 10 }, () => summarise(model)));
    expect(answers.map(({ value }) => value.reveal())).toEqual(Array.from({ length: 10 }, () => summary));
  },
);

test.each([ollamaWithoutTools, vllmWithoutTools, llamaCppWithoutTools])(
  "$name: an agent's question ends as the configuration's, everything else works",
  async (profile) => {
    const { options } = await started(profile);
    const model = new OpenAiToolModel(options);
    await expect(model.converse(conversation(begun), async () => {})).rejects.toMatchObject({
      code: "model_request_refused",
    });
    expect((await judge(new OpenAiModel(options))).value.reveal()).toEqual(verdict);
  },
);

test("P1: OpenAI and Azure are always told to keep nothing, and others until they refuse to be told", async () => {
  for (const [profile] of servers) {
    const { options, server } = await started(profile);
    await judge(new OpenAiModel(options));
    const told = server.requests.map((body) => body["store"]);
    expect(told[0], profile.name).toBe(false);
    if (profile.name in hosts) expect(new Set(told), profile.name).toEqual(new Set([false]));
  }
});

test("Azure's content filter is the item's, and other mails go on", async () => {
  const { options } = await started(azureOpenAi);
  const model = new OpenAiModel(options);
  await expect(judge(model, "a bomb")).rejects.toMatchObject({ code: "model_refused" });
  expect((await judge(model)).value.reveal()).toEqual(verdict);
});

test("a text larger than llama.cpp's window is the item's, and other mails go on", async () => {
  const { options } = await started(llamaCpp);
  const model = new OpenAiModel(options);
  await expect(judge(model, "long ".repeat(20_000))).rejects.toMatchObject({ code: "model_item_too_long" });
  expect((await judge(model)).value.reveal()).toEqual(verdict);
});
