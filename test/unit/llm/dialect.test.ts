import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { OpenAiModel } from "../../../shared/llm/openai-model.ts";
import { Transient } from "../../../shared/privacy/transient.ts";

type Body = Record<string, unknown> & { messages: { role: string; content: unknown }[] };

/** A server that refuses as it is told, and keeps what it was asked. */
async function server(refuse: (body: Body) => { status?: number; body: unknown } | undefined) {
  const asked: Body[] = [];
  const listener = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on("end", () => {
      const body: Body = JSON.parse(text);
      asked.push(body);
      const refused = refuse(body);
      const answer = { choices: [{ message: { content: '{"word":"ok"}' }, finish_reason: "stop" }] };
      response.writeHead(refused ? (refused.status ?? 400) : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(refused ? refused.body : answer));
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    listener.closeAllConnections();
    listener.close();
  });
  const baseUrl = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/v1`;
  return { asked, model: new OpenAiModel({ apiKey: "k", baseUrl, model: "m-1" }) };
}

const ask = (model: OpenAiModel, maxOutputTokens = 200) =>
  model.complete({
    system: "Be brief.",
    user: new Transient("Look."),
    image: new Transient("data:image/png;base64,aGk="),
    schema: z.object({ word: z.string() }),
    schemaName: "word",
    maxOutputTokens,
    timeoutMs: 120_000,
  });

const error = (message: string, more: object = {}) => ({ error: { message, type: "invalid_request_error", ...more } });
const has = (body: Body, text: string) => JSON.stringify(body).includes(text);

describe("A3: what a server refuses is given up, that alone, once and for all", () => {
  test.each<[string, (body: Body) => { status?: number; body: unknown } | undefined, (last: Body) => void]>([
    [
      "temperature (Hugging Face's server: 422, strictly positive)",
      (body) =>
        body["temperature"] === 0
          ? { status: 422, body: { error: "Input validation error: `temperature` must be strictly positive" } }
          : undefined,
      (last) => expect(last).not.toHaveProperty("temperature"),
    ],
    [
      "the cap's name (a gateway before a model that thinks)",
      (body) =>
        "max_tokens" in body
          ? {
              body: error("Unsupported parameter: 'max_tokens'.", {
                param: "max_tokens",
                code: "unsupported_parameter",
              }),
            }
          : undefined,
      (last) => expect(last["max_completion_tokens"]).toBe(200),
    ],
    [
      "the cap under either name",
      (body) =>
        "max_tokens" in body || "max_completion_tokens" in body
          ? { body: error("property 'max_tokens' or 'max_completion_tokens' is unsupported") }
          : undefined,
      (last) => expect(Object.keys(last).filter((key) => key.startsWith("max_"))).toEqual([]),
    ],
    [
      "strict, the schema kept",
      (body) => (has(body, '"strict":true') ? { body: error("'strict' is not supported in json_schema") } : undefined),
      (last) => expect(last).toMatchObject({ response_format: { type: "json_schema" } }),
    ],
    [
      "an image's detail",
      (body) =>
        has(body, '"detail"')
          ? { body: error("Unknown", { param: "messages[1].content[1].image_url.detail" }) }
          : undefined,
      (last) => expect(has(last, "data:image/png")).toBe(true),
    ],
    [
      "the system role (Gemma's chat template)",
      (body) =>
        body.messages[0]?.role === "system"
          ? { body: { object: "error", message: "System role not supported", type: "BadRequestError", code: 400 } }
          : undefined,
      (last) => expect(last.messages).toMatchObject([{ role: "user", content: [{ text: "Be brief." }, {}, {}] }]),
    ],
    [
      "two of FastAPI's at once",
      (body) =>
        "store" in body
          ? {
              status: 422,
              body: {
                detail: ["store", "response_format"].map((key) => ({ loc: ["body", key], msg: "Extra inputs" })),
              },
            }
          : undefined,
      (last) => expect(last).toMatchObject({ response_format: { type: "json_object" } }),
    ],
  ])("%s", async (_name, refuse, check) => {
    const { asked, model } = await server(refuse);
    await ask(model);
    const needed = asked.length;
    expect(needed).toBeGreaterThan(1);
    await ask(model);
    expect(asked).toHaveLength(needed + 1);
    const last = asked.at(-1);
    if (!last) throw new TypeError("nothing was asked");
    check(last);
    expect(has(last, "Look.")).toBe(true);
  });

  test.each([
    ["OpenAI", "max_tokens is too large: 16000. This model supports at most 4096 completion tokens.", 4_096],
    [
      "Groq",
      "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
      8_192,
    ],
  ])("a cap beyond %s's is lowered to what it allows", async (_name, words, most) => {
    const { asked, model } = await server((body) =>
      Number(body["max_tokens"]) > most ? { body: error(words, { param: "max_tokens" }) } : undefined,
    );
    await ask(model, 16_000);
    expect(asked.map((body) => body["max_tokens"])).toEqual([16_000, most]);
    await ask(model, 200);
    expect(asked.at(-1)?.["max_tokens"]).toBe(200);
  });

  /** As vLLM says it, with the status among its words. */
  const window = (size: number, text: (body: Body) => number) => (body: Body) => {
    const cap = Number(body["max_tokens"]);
    const taken = text(body);
    if (cap + taken <= size) return undefined;
    const message = `'max_tokens' or 'max_completion_tokens' is too large: ${cap}. This model's maximum context length is ${size} tokens and your request has ${taken} input tokens (${cap} > ${size} - ${taken}).`;
    return { body: { object: "error", message, type: "BadRequestError", param: null, code: 400 } };
  };

  test("a cap that does not fit the window beside one text is lowered for that text alone, to what is left", async () => {
    let taken = 7_000;
    const { asked, model } = await server(window(8_192, () => taken));
    await ask(model, 2_000);
    taken = 100;
    await ask(model, 2_000);
    expect(asked.map((body) => body["max_tokens"])).toEqual([2_000, 1_192, 2_000]);
  });

  const onlyThought = { status: 200, body: { choices: [{ message: { content: "" }, finish_reason: "length" }] } };
  const overlong = { body: error("Too long.", { code: "context_length_exceeded" }) };

  test.each<[string, number, (body: Body, taken: number) => { status?: number; body: unknown } | undefined, number[]]>([
    ["says how much room there is", 12_000, (body, taken) => window(16_384, () => taken)(body), [8_392, 4_384]],
    [
      "says only that it is too long",
      12_000,
      (body, taken) => (Number(body["max_tokens"]) + taken > 16_384 ? overlong : undefined),
      [8_392, 2_248],
    ],
  ])(
    "the room for thinking that one long text leaves less of is that text's alone, where the server %s",
    async (_name, long, refuse, tried) => {
      let taken = 100;
      const { asked, model } = await server((body) =>
        Number(body["max_tokens"]) <= 900 ? onlyThought : refuse(body, taken),
      );
      await ask(model);
      taken = long;
      await ask(model);
      taken = 100;
      await ask(model);
      expect(asked.map((body) => body["max_tokens"])).toEqual([200, 8_392, ...tried, 8_392]);
    },
  );

  test("a window that is small for any thinking is remembered as such", async () => {
    const { asked, model } = await server((body) =>
      Number(body["max_tokens"]) <= 900 ? onlyThought : window(8_192, () => 100)(body),
    );
    await ask(model);
    await ask(model);
    expect(asked.map((body) => body["max_tokens"])).toEqual([200, 8_392, 2_248, 2_248]);
  });

  test.each([
    ["so much that no answer has room", 8_000],
    ["all of it", 9_000],
  ])("a text that takes of the window %s is too long", async (_name, taken) => {
    const { asked, model } = await server(window(8_192, () => taken));
    await expect(ask(model, 2_000)).rejects.toMatchObject({ code: "model_item_too_long" });
    expect(asked).toHaveLength(1);
  });
});
