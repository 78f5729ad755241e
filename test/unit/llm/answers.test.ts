import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { verdictSchema } from "../../../events/proposals/verdict.ts";
import { answeredModel } from "../../../shared/llm/openai/answer/answered-model.ts";
import { oneObject } from "../../../shared/llm/openai/answer/salvage.ts";
import { ThinkingFilter } from "../../../shared/llm/openai/answer/thinking-filter.ts";
import { fitted, strictSchema } from "../../../shared/llm/openai/request/strict-schema.ts";
import { OpenAiModel } from "../../../shared/llm/openai-model.ts";
import { Transient } from "../../../shared/privacy/transient.ts";

const verdict = { verdict: "spam", reason: "It sells {things}.", reasonCode: "marketing", confidence: 0.9 };
const json = JSON.stringify(verdict);

describe("A3: the one object of an answer", () => {
  test.each([
    ["alone", json],
    ["with space and a mark of its encoding", `\uFEFF\n ${json}\n`],
    ["in a fence", `\`\`\`json\n${json}\n\`\`\``],
    ["in a fence without a name", `\`\`\`\n${JSON.stringify(verdict, null, 2)}\n\`\`\``],
    ["after thinking", `<think>Is it {"verdict":"relevant"}? No.</think>\n${json}`],
    ["after thinking whose beginning the template wrote", `It may be {"verdict":"relevant"}.\n</think>\n\n${json}`],
    ["with prose around it", `Sure! Here you are:\n${json}\nDoes that {help}?`],
    ["twice the same", `${json}\n${json}`],
    ["in an array", `[${json}]`],
  ])("%s", (_name, answer) => {
    expect(oneObject(answer)).toEqual(verdict);
  });

  test("with the end of thinking quoted in it", () => {
    expect(oneObject('{"reason":"It says </think> and <think>."}')).toEqual({
      reason: "It says </think> and <think>.",
    });
  });

  test.each([
    ["two that differ", `${json} ${JSON.stringify({ ...verdict, verdict: "relevant" })}`],
    ["half of one", json.slice(0, -5)],
    ["thinking only", `<think>${json}`],
    ["prose", "It is spam."],
    ["a number", "7"],
    ["nothing", ""],
    ["another notation", "{verdict: 'spam'}"],
  ])("%s is none", (_name, answer) => {
    expect(oneObject(answer)).toBeUndefined();
  });

  test("is found in one pass, however many braces there are", () => {
    expect(oneObject("{".repeat(1_000_000))).toBeUndefined();
    expect(oneObject(`${"{}".repeat(200_000)}`)).toEqual({});
  });
});

describe("A3: an answer is held against its schema", () => {
  const schema = z.toJSONSchema(verdictSchema);

  test("unknown keys go, a reason that is too long is cut, never in the middle of a character", () => {
    const long = { ...verdict, reason: `${"x".repeat(198)}😀😀`, mood: "good" };
    const cut = verdictSchema.parse(fitted(long, schema));
    expect(cut.reason).toBe(`${"x".repeat(198)}…`);
    expect(cut.reason.isWellFormed()).toBe(true);
    expect(verdictSchema.parse(fitted({ ...verdict, reason: "y".repeat(5_000) }, schema)).reason).toHaveLength(200);
  });

  test.each([
    { ...verdict, verdict: "ham" },
    { ...verdict, confidence: "0.9" },
    { ...verdict, confidence: 90 },
    { verdict: "spam" },
    [verdict],
  ])("no value is guessed: %j", (value) => {
    expect(verdictSchema.safeParse(fitted(value, schema)).success).toBe(false);
  });

  test("what is not marked is not cut", () => {
    const strict = z.object({ merged: z.string().max(3) });
    expect(fitted({ merged: "abcdef" }, z.toJSONSchema(strict))).toEqual({ merged: "abcdef" });
  });

  test("a strict schema holds documented keywords only, every property required and no other allowed", () => {
    const given = z.object({
      name: z.string().min(1).max(9).regex(/a/).meta({ mayBeCut: true, description: "A name." }),
      email: z.email().optional(),
      tags: z.array(z.enum(["a", "b"])).max(3),
      at: z.union([z.literal(1), z.object({ deep: z.number().int().min(0) })]),
      format: z.string(),
    });
    expect(strictSchema(z.toJSONSchema(given))).toEqual({
      type: "object",
      properties: {
        name: { type: "string", description: "A name." },
        email: { anyOf: [{ type: "string" }, { type: "null" }] },
        tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
        at: {
          anyOf: [
            { type: "number", const: 1 },
            {
              type: "object",
              properties: { deep: { type: "integer" } },
              required: ["deep"],
              additionalProperties: false,
            },
          ],
        },
        format: { type: "string" },
      },
      required: ["name", "email", "tags", "at", "format"],
      additionalProperties: false,
    });
    const answer = { name: "Ada", email: null, tags: ["a"], at: { deep: 1 }, format: "x" };
    expect(given.parse(fitted(answer, z.toJSONSchema(given)))).not.toHaveProperty("email");
  });
});

describe("D6: what a model may be called in a row", () => {
  test.each([
    ["gpt-4o-mini", "gpt-4o-mini-2024-07-18"],
    ["gpt-4o-mini", "gpt-4o-mini"],
    ["gpt-4", "gpt-4-0613"],
    ["claude-sonnet-4", "claude-sonnet-4-20250514"],
    ["mistral-small", "mistral-small-2409"],
    ["llama3.1", "llama3.1:latest"],
    ["gemini-2.0-flash", "gemini-2.0-flash-001"],
    ["deepseek", "deepseek-v3.1"],
  ])("%s answers as %s", (asked, answered) => {
    expect(answeredModel(answered, asked)).toBe(answered);
  });

  test.each([
    "Ada-Lovelace",
    "gpt-4o-mini-Ada",
    "gpt-4o-mini-2024-07-18-Ada",
    "gpt-4o-mini-4915112345678",
    "gpt-4o-mini-20241399",
    "gpt-4o-mini 2024-07-18",
    "gpt-4o-mini20240718",
    "gpt-4o-mini-12345",
    "x/gpt-4o-mini-2024-07-18",
    "",
    undefined,
    { toString: () => "gpt-4o-mini" },
  ])("%j is not kept", (answered) => {
    expect(answeredModel(answered, "gpt-4o-mini")).toBe("gpt-4o-mini");
  });
});

test.each([1, 2, 3, 7, 1_000])("A3: thoughts at the head of a stream are left out, in pieces of %i", (size) => {
  const shown = (answer: string) => {
    const filter = new ThinkingFilter();
    const pieces = answer.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
    return pieces.map((piece) => filter.take(piece)).join("") + filter.rest();
  };
  expect(shown("<think>Hmm, </thin… no.</think>\n\nHello <think> you.")).toBe("Hello <think> you.");
  expect(shown("\n<thinking>Hmm.</thinking>Hello")).toBe("Hello");
  expect(shown("<thicket> is a word")).toBe("<thicket> is a word");
  expect(shown("<thin")).toBe("<thin");
  expect(shown("Hello")).toBe("Hello");
  expect(shown("<think>and no end")).toBe("");
});

describe("what an answer took is what its server says it counted", () => {
  const counted = async (usage: object) => {
    const body = { choices: [{ message: { content: json }, finish_reason: "stop" }], usage };
    const model = new OpenAiModel({
      ...{ apiKey: "k", baseUrl: "http://model.example/v1", model: "m-1" },
      fetch: async () => Response.json(body),
    });
    const request = {
      system: "Judge.",
      user: new Transient("Buy!"),
      schema: verdictSchema,
      schemaName: "triage_verdict",
    };
    return (await model.complete({ ...request, maxOutputTokens: 200, timeoutMs: 120_000 })).usage;
  };
  const guessed = { inputTokens: Math.ceil("Judge.Buy!".length / 4), outputTokens: Math.ceil(json.length / 4) };

  test("with what it put around the request, and what it thought without showing", async () => {
    const usage = { prompt_tokens: 900, completion_tokens: 30_000 };
    expect(await counted(usage)).toEqual({ inputTokens: 900, outputTokens: 30_000 });
  });

  test.each([
    ["more than the request can have", { prompt_tokens: 3_000_000_000, completion_tokens: 20 }],
    ["more than any answer can have", { prompt_tokens: 900, completion_tokens: 9_000_000 }],
    ["less than nothing", { prompt_tokens: -1, completion_tokens: 20 }],
    ["parts of tokens", { prompt_tokens: 1.5, completion_tokens: 20 }],
    ["words", { prompt_tokens: "many", completion_tokens: 20 }],
  ])("%s is a mistake, and one answer does not use up a person's month", async (_, usage) => {
    expect(await counted(usage)).toEqual(guessed);
  });
});

test("A3: a bad answer is asked for again with the form that is wanted, and both are counted", async () => {
  const asked: { messages: { content: string }[] }[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on("end", () => {
      asked.push(JSON.parse(body));
      const content = asked.length < 3 ? "Spam, I would say." : json;
      const usage = { prompt_tokens: 10, completion_tokens: 2 };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ choices: [{ message: { content }, finish_reason: "stop" }], usage }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const answer = await new OpenAiModel({ apiKey: "k", baseUrl, model: "m-1" }).complete({
    system: "Judge.",
    user: new Transient("Buy!"),
    schema: verdictSchema,
    schemaName: "triage_verdict",
    maxOutputTokens: 200,
    timeoutMs: 120_000,
  });
  expect(answer.value.reveal()).toEqual(verdict);
  expect(answer.usage).toEqual({ inputTokens: 30, outputTokens: 6 });
  const [first, second, third] = asked.map(({ messages }) => messages[0]?.content ?? "");
  expect(first).toBe("Judge.");
  // The first bad answer is taken for the form's fault, the second for the model's.
  expect(second).toMatch(/exactly one JSON object.*"reasonCode"/s);
  expect(third).toMatch(/last answer was not of the form agreed/);
});
