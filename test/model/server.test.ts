import { afterEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { verdictSchema } from "../../events/proposals/verdict.ts";
import { type ModelOptions, type ModelServer, startModel } from "../../infra/model/server.ts";
import { promptOf, unwantedMail } from "./messages.ts";

const apiKey = "test-key";
let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const start = async (options: Partial<ModelOptions> = {}): Promise<ModelServer> => {
  server = await startModel({ apiKey, ...options });
  return server;
};

const answerSchema = z.object({
  id: z.string(),
  object: z.literal("chat.completion"),
  created: z.int(),
  model: z.string(),
  choices: z.tuple([
    z.object({
      index: z.literal(0),
      message: z.object({
        role: z.literal("assistant"),
        content: z.string().nullable(),
        refusal: z.string().nullable(),
      }),
      finish_reason: z.literal("stop"),
    }),
  ]),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() }),
});
const errorSchema = z.object({
  error: z.strictObject({
    message: z.string().min(1),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

const mail = unwantedMail["pills"] ?? { subject: "", sender: "", body: "" };
const triageRequest = (extra: object = {}): object => ({
  model: "gpt-4o-mini",
  store: false,
  temperature: 0,
  messages: [
    { role: "system", content: "You sort what arrives." },
    { role: "user", content: promptOf(mail) },
  ],
  response_format: {
    type: "json_schema",
    json_schema: { name: "triage_verdict", strict: true, schema: z.toJSONSchema(verdictSchema) },
  },
  ...extra,
});
const post = (url: string, body: unknown, key = apiKey): Promise<Response> =>
  fetch(`${url}/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

describe("chat completions as OpenAI documents them", () => {
  test("a structured verdict with usage", async () => {
    const { url, requests } = await start({ clock: () => 1_700_000_000_500 });
    const answer = answerSchema.parse(await (await post(url, triageRequest())).json());
    expect(verdictSchema.parse(JSON.parse(answer.choices[0].message.content ?? ""))).toMatchObject({ verdict: "spam" });
    expect(answer.created).toBe(1_700_000_000);
    expect(answer.usage.prompt_tokens).toBeGreaterThan(50);
    expect(answer.usage.total_tokens).toBe(answer.usage.prompt_tokens + answer.usage.completion_tokens);
    expect(requests()).toBe(1);
  });

  test("content in parts", async () => {
    const { url } = await start();
    const messages = [{ role: "user", content: [{ type: "text", text: promptOf(mail) }] }];
    const answer = answerSchema.parse(await (await post(url, triageRequest({ messages }))).json());
    expect(answer.choices[0].message.content).toContain('"spam"');
  });

  test("without a schema, an extract of what was sent", async () => {
    const { url } = await start();
    const messages = [{ role: "user", content: "The bridge was closed. The bridge reopens on Monday. It rained." }];
    const answer = answerSchema.parse(await (await post(url, { model: "gpt-4o-mini", messages })).json());
    expect(answer.choices[0].message.content).toContain("The bridge was closed.");
  });

  test("streamed, the pieces make the same answer and usage comes last", async () => {
    const { url } = await start();
    const whole = answerSchema.parse(await (await post(url, triageRequest())).json());
    const response = await post(url, triageRequest({ stream: true, stream_options: { include_usage: true } }));
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    const events = (await response.text()).split("\n\n").filter((event) => event !== "");
    expect(events.at(-1)).toBe("data: [DONE]");
    const chunkSchema = z.object({
      object: z.literal("chat.completion.chunk"),
      choices: z.array(
        z.object({ delta: z.object({ content: z.string().nullish() }), finish_reason: z.string().nullable() }),
      ),
      usage: z.object({ total_tokens: z.int() }).nullable(),
    });
    const chunks = events.slice(0, -1).map((event) => chunkSchema.parse(JSON.parse(event.slice("data: ".length))));
    const text = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? "").join("");
    expect(text).toBe(whole.choices[0].message.content);
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: whole.usage.total_tokens } });
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe("stop");
  });

  test("the list of models", async () => {
    const { url } = await start();
    const response = await fetch(`${url}/models`, { headers: { authorization: `Bearer ${apiKey}` } });
    const list = z
      .object({ object: z.literal("list"), data: z.array(z.object({ id: z.string() })) })
      .parse(await response.json());
    expect(list.data.map(({ id }) => id)).toEqual(["scouts-builtin-13", "gpt-4o-mini"]);
  });
});

describe("errors have OpenAI's shape", () => {
  const cases: readonly (readonly [name: string, body: unknown, key: string, status: number, expected: object])[] = [
    ["a wrong key", triageRequest(), "other", 401, { code: "invalid_api_key" }],
    ["no JSON", "{", apiKey, 400, { type: "invalid_request_error" }],
    ["no messages", { model: "gpt-4o-mini", messages: [] }, apiKey, 400, { param: "messages" }],
    ["no model", { messages: [{ role: "user", content: "x" }] }, apiKey, 400, { param: "model" }],
    ["several answers", triageRequest({ n: 2 }), apiKey, 400, { param: "n" }],
    ["another model", triageRequest({ model: "gpt-9" }), apiKey, 404, { code: "model_not_found" }],
    [
      "an unknown job",
      triageRequest({ response_format: { type: "json_schema", json_schema: { name: "poem", schema: {} } } }),
      apiKey,
      400,
      { code: "unknown_schema", param: "response_format.json_schema.name" },
    ],
  ];

  test.each(cases)("%s", async (_name, body, key, status, expected) => {
    const { url } = await start();
    const response = await post(url, body, key);
    expect(response.status).toBe(status);
    expect(errorSchema.parse(await response.json()).error).toMatchObject(expected);
  });

  test("an unknown address", async () => {
    const { url } = await start();
    const response = await fetch(`${url}/embeddings`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}` },
    });
    expect(response.status).toBe(404);
    errorSchema.parse(await response.json());
  });

  test("past the rate limit 429 says when to come back, and then it works", async () => {
    let nowMs = 0;
    const { url } = await start({ requestsPerMinute: 1, clock: () => nowMs });
    expect((await post(url, triageRequest())).status).toBe(200);
    nowMs = 20_000;
    const refused = await post(url, triageRequest());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "40"]);
    expect(errorSchema.parse(await refused.json()).error.code).toBe("rate_limit_exceeded");
    nowMs = 60_000;
    expect((await post(url, triageRequest())).status).toBe(200);
  });

  test("a taken port is said", async () => {
    const { url } = await start();
    await expect(startModel({ apiKey, port: Number(new URL(url).port) })).rejects.toMatchObject({ code: "port_taken" });
  });
});

describe("faults on request", () => {
  test("500, 429, a cut answer, a refusal, a late answer", async () => {
    const faults: NonNullable<ModelOptions["faults"]> = { error500Rate: 1 };
    const { url } = await start({ faults });
    expect((await post(url, triageRequest())).status).toBe(500);
    Object.assign(faults, { error500Rate: 0, error429Rate: 1, retryAfterSeconds: 7 });
    expect((await post(url, triageRequest())).headers.get("retry-after")).toBe("7");
    Object.assign(faults, { error429Rate: 0, invalidJsonRate: 1 });
    const cut = answerSchema.parse(await (await post(url, triageRequest())).json()).choices[0].message.content ?? "";
    expect(() => JSON.parse(cut)).toThrow(SyntaxError);
    Object.assign(faults, { invalidJsonRate: 0, refusalRate: 1 });
    const refusal = answerSchema.parse(await (await post(url, triageRequest())).json()).choices[0].message;
    expect([refusal.content, typeof refusal.refusal]).toEqual([null, "string"]);
    Object.assign(faults, { refusalRate: 0, slowRate: 1, slowMs: 1 });
    expect((await post(url, triageRequest())).status).toBe(200);
  });

  test("the same seed draws the same faults", async () => {
    const statuses = async (): Promise<number[]> => {
      const { url, close } = await startModel({ apiKey, faults: { seed: 7, error500Rate: 0.5 } });
      const drawn: number[] = [];
      for (let request = 0; request < 20; request += 1) drawn.push((await post(url, triageRequest())).status);
      await close();
      return drawn;
    };
    const first = await statuses();
    expect(await statuses()).toEqual(first);
    expect(new Set(first)).toEqual(new Set([200, 500]));
  });
});
