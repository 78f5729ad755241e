import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer as createTcpServer } from "node:net";
import { inspect } from "node:util";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { OpenAiModel } from "../../../shared/llm/openai-model.ts";
import { OpenAiProbe } from "../../../shared/llm/openai-probe.ts";
import { OpenAiToolModel } from "../../../shared/llm/openai-tool-model.ts";
import { Transient } from "../../../shared/privacy/transient.ts";

// The library takes hold of the console once, at its first request.
const printed = vi.spyOn(console, "error").mockImplementation(() => {});
afterAll(() => printed.mockRestore());

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

async function listening(handler: Handler): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => handler(request, response));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

const schema = z.object({ verdict: z.enum(["relevant", "spam"]), reason: z.string() });
const chat = (baseUrl: string, timeoutMs = 120_000) =>
  new OpenAiModel({ apiKey: "sk-secret", baseUrl, model: "m-1" }).complete({
    system: "Judge.",
    user: new Transient("CANARYMAIL"),
    schema,
    schemaName: "verdict",
    maxOutputTokens: 50,
    timeoutMs,
  });
const converse = (baseUrl: string, timeoutMs = 120_000) =>
  new OpenAiToolModel({ apiKey: "sk-secret", baseUrl, model: "m-1" }).converse(
    {
      turns: new Transient([{ role: "user", text: "CANARYMAIL" }] as const),
      tools: [],
      toolChoice: "auto",
      maxOutputTokens: 50,
      timeoutMs,
      signal: new AbortController().signal,
    },
    async () => {},
  );
const probe = (baseUrl: string, timeoutMs = 120_000) =>
  new OpenAiProbe({ apiKey: "sk-secret", baseUrl, model: "m-1" }).probe({ timeoutMs });

/** The code each of the three ends with. */
async function codes(baseUrl: string, timeoutMs?: number) {
  const codeOf = (error: unknown) => (error as { code: ErrorCode }).code;
  const [judged, answered, probed] = await Promise.all([
    chat(baseUrl, timeoutMs).then(() => "ok", codeOf),
    converse(baseUrl, timeoutMs).then(() => "ok", codeOf),
    probe(baseUrl, timeoutMs).then((result) => (result.ok ? "ok" : result.code)),
  ]);
  return { judged, answered, probed };
}
const all = (code: ErrorCode) => ({ judged: code, answered: code, probed: code });

const sends =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_request, response) => {
    const isText = typeof body === "string";
    response.writeHead(status, { "content-type": isText ? "text/html" : "application/json", ...headers });
    response.end(isText ? body : JSON.stringify(body));
  };
const says = (message: object, more: object = {}) =>
  sends(200, { model: "m-1", choices: [{ index: 0, message, finish_reason: "stop" }], ...more });
const page = "<!doctype html><html><body>Please sign in to the network</body></html>";
const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

describe("A1: what a server answers has one code", () => {
  test.each<[string, Handler, ErrorCode]>([
    ["401", sends(401, error("bad key")), "model_forbidden"],
    ["403", sends(403, error("no")), "model_forbidden"],
    ["402", sends(402, error("Insufficient credits", { code: 402 })), "model_quota_spent"],
    ["429 insufficient_quota", sends(429, error("x", { code: "insufficient_quota" })), "model_quota_spent"],
    ["429 with the type only", sends(429, error("x", { type: "insufficient_quota" })), "model_quota_spent"],
    ["429", sends(429, error("slow down", { code: "rate_limit_exceeded" })), "model_rate_limited"],
    [
      "429 that quota pages are quoted in",
      sends(429, error("You exceeded your current quota, please check your plan")),
      "model_rate_limited",
    ],
    ["429 for one text that is too long", sends(429, error("Request too large for m-1 on TPM")), "model_item_too_long"],
    ["404 model_not_found", sends(404, error("no", { code: "model_not_found" })), "model_unknown"],
    ["404 in plain text", sends(404, "404 page not found"), "model_unknown"],
    ["400 model", sends(400, error("llama9 is not a valid model ID", { code: 400 })), "model_unknown"],
    ["400 a parameter", sends(400, error("Bad", { param: "logit_bias" })), "model_request_refused"],
    ["400 content filter", sends(400, error("x", { code: "content_filter" })), "model_refused"],
    ["403 moderation", sends(403, error("The input was flagged", { code: 403 })), "model_refused"],
    ["400 context", sends(400, error("x", { code: "context_length_exceeded" })), "model_item_too_long"],
    ["413", sends(413, "<html>413 Request Entity Too Large</html>"), "model_item_too_long"],
    ["400 invalid_prompt", sends(400, error("x", { code: "invalid_prompt" })), "model_item_invalid"],
    ["400 an image", sends(400, error("this model does not support images")), "model_item_invalid"],
    ["400 without a word", sends(400, {}), "model_item_invalid"],
    ["408", sends(408, error("x")), "model_timeout"],
    ["500", sends(500, error("x")), "model_unavailable"],
    ["503 loading", sends(503, error("Loading model", { type: "unavailable_error" })), "model_unavailable"],
    ["502 as a page", sends(502, page), "model_unavailable"],
    ["529", sends(529, error("overloaded")), "model_unavailable"],
    ["200 with an error in it", sends(200, error("down", { code: 502 })), "model_unavailable"],
    ["200 with a limit in it", sends(200, error("slow", { code: 429 })), "model_rate_limited"],
    ["a page with 200", sends(200, page), "model_not_an_api"],
    ["a page with 403", sends(403, page), "model_not_an_api"],
    ["a page with 404", sends(404, page), "model_not_an_api"],
    ["words with 200", sends(200, "OK"), "model_not_an_api"],
    ["nothing with 200", sends(200, ""), "model_not_an_api"],
    ["another schema", sends(200, { response: "hi", done: true }), "model_not_an_api"],
    ["a list", sends(200, []), "model_not_an_api"],
  ])("%s", async (_name, handler, code) => {
    expect(await codes(await listening(handler))).toEqual(all(code));
  });

  test("how long a server asks to be left alone goes along, an hour at most", async () => {
    const told = async (headers: Record<string, string>) => {
      const baseUrl = await listening(sends(429, error("slow"), headers));
      const [failure, probed] = await Promise.all([chat(baseUrl).catch((thrown) => thrown), probe(baseUrl)]);
      return [failure.data.retryAfterMs, "retryAfterMs" in probed ? probed.retryAfterMs : undefined];
    };
    expect(await told({ "retry-after": "7" })).toEqual([7_000, 7_000]);
    expect(await told({ "retry-after-ms": "250" })).toEqual([250, 250]);
    expect(await told({ "retry-after": "9999999999" })).toEqual([3_600_000, 3_600_000]);
    expect(await told({ "retry-after": "soon" })).toEqual([undefined, undefined]);
  });
});

describe("A1: a connection that fails has one code", () => {
  test.each<[string, string]>([
    ["nobody listens", "http://127.0.0.1:1/v1"],
    ["a name that is none", "http://model.invalid/v1"],
    ["a port browsers block", "http://127.0.0.1:6000/v1"],
    ["an address that is none", "http://[::g]/v1"],
  ])("%s: unreachable", async (_name, baseUrl) => {
    expect(await codes(baseUrl)).toEqual(all("model_unreachable"));
  });

  test("TLS where there is none: unreachable; something that is not HTTP: not an API", async () => {
    const plain = await listening(sends(200, page));
    expect(await codes(plain.replace("http:", "https:"))).toEqual(all("model_unreachable"));
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.write("500 Unknown command\r\n"));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    expect(await codes(`http://127.0.0.1:${port}/v1`)).toEqual(all("model_not_an_api"));
  });

  test("cut before the answer or in the middle of it: unavailable", async () => {
    const cut = await listening((_request, response) => response.destroy());
    expect(await codes(cut)).toEqual(all("model_unavailable"));
    const half = await listening((_request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "500" });
      response.write('{"choices":[{"mess', () => response.destroy());
    });
    expect(await codes(half)).toEqual(all("model_unavailable"));
    const ended = await listening(sends(200, '{"choices":[{"mess'));
    expect(await codes(ended)).toEqual(all("model_unavailable"));
  });

  test("an answer that comes byte by byte, or not at all, ends with the deadline", async () => {
    const trickling = await listening((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 20);
      response.on("close", () => clearInterval(timer));
    });
    const events = await listening((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const timer = setInterval(() => response.write(": wait\n\n"), 20);
      response.on("close", () => clearInterval(timer));
    });
    const silent = await listening(() => {});
    const found = await Promise.all([
      codes(trickling, 1_000),
      codes(silent, 1_000),
      converse(events, 1_000).catch((e) => e.code),
    ]);
    expect(found).toEqual([all("model_timeout"), all("model_timeout"), "model_timeout"]);
  });
});

describe("A3: an answer that is none", () => {
  const call = {
    id: "c",
    type: "function",
    function: { name: "verdict", arguments: '{"verdict":"spam","reason":""}' },
  };

  test.each<[string, Handler]>([
    ["no choice", sends(200, { model: "m-1", choices: [] })],
    ["a call instead of words", says({ content: null, tool_calls: [call] })],
    ["another language", says({ content: '{"veredicto":"correo basura","motivo":"Vende."}' })],
    ["two objects", says({ content: '{"verdict":"spam","reason":"a"} or {"verdict":"relevant","reason":"b"}' })],
    ["a thought without an end", says({ content: '<think>{"verdict":"spam","reason":"?"}' })],
    ["no message", sends(200, { choices: [{ index: 0, finish_reason: "stop" }] })],
  ])("%s is the answer's failure after its tries, and counted", async (_name, handler) => {
    await expect(chat(await listening(handler))).rejects.toMatchObject({
      code: "model_answer_invalid",
      data: { inputTokens: expect.any(Number), outputTokens: expect.any(Number) },
    });
  });

  test("P1: one of 10 MB is not read to its end, whatever it is", async () => {
    for (const [begins, code] of [
      ['{"choices":[{"message":{"content":"', "model_answer_invalid"],
      ["<html>", "model_not_an_api"],
    ] as const) {
      let sent = 0;
      const piece = "x".repeat(64 * 1024);
      const closed: Promise<void>[] = [];
      const baseUrl = await listening((_request, response) => {
        closed.push(new Promise((resolve) => response.on("close", resolve)));
        response.writeHead(200, { "content-type": "application/json" });
        response.write(begins);
        const more = () => {
          while (sent < 64 * 1024 * 1024 && !response.destroyed) {
            sent += piece.length;
            if (!response.write(piece)) return void response.once("drain", more);
          }
          response.end();
        };
        more();
      });
      await expect(chat(baseUrl)).rejects.toMatchObject({ code });
      await Promise.all(closed);
      expect(sent).toBeLessThan(16 * 1024 * 1024);
    }
  });

  test("a stream without an end is cut at its bound", async () => {
    const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "x".repeat(60_000) } }] })}\n\n`;
    const baseUrl = await listening((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const more = () => {
        while (!response.destroyed) if (!response.write(event)) return void response.once("drain", more);
      };
      more();
    });
    await expect(converse(baseUrl)).rejects.toMatchObject({ code: "model_answer_invalid" });
  });

  test("P1: a stream that is no JSON prints nothing of it, and no failure shows what was said", async () => {
    const broken = await listening((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end("data: CANARYANSWER {\n\n");
    });
    const refusing = await listening(sends(400, error("Bad CANARYANSWER", { param: "CANARYPARAM" })));
    const failures = [
      await converse(broken).catch((thrown) => thrown),
      await chat(refusing).catch((thrown) => thrown),
      await probe(refusing),
    ];
    expect(printed.mock.calls).toEqual([]);
    for (const failure of failures) {
      const { cause, ...shown } = { cause: undefined, ...failure, message: failure.message };
      expect(JSON.stringify(shown)).not.toContain("CANARY");
      if (cause instanceof SyntaxError) continue;
      expect(inspect(cause, { depth: 9, showHidden: true })).not.toContain("CANARY");
    }
  });

  test("a failure in the middle of a stream has its own code", async () => {
    const streams = (event: object) =>
      listening((_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.end(
          `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "Half" } }] })}\n\ndata: ${JSON.stringify(event)}\n\n`,
        );
      });
    const limited = await streams({ ...error("slow down", { code: 429 }), choices: [{ finish_reason: "error" }] });
    await expect(converse(limited)).rejects.toMatchObject({ code: "model_rate_limited" });
    const down = await streams(error("provider went away", { code: 502 }));
    await expect(converse(down)).rejects.toMatchObject({ code: "model_unavailable" });
    const strange = await streams({ message: { content: "hi" }, done: true });
    await expect(converse(strange)).rejects.toMatchObject({ code: "model_answer_invalid" });
  });
});

test.each([301, 302, 303, 307, 308])(
  "P1: a redirect (%i) is followed nowhere, least of all with the key",
  async (status) => {
    const reached: unknown[] = [];
    const elsewhere = await listening((request, response) => {
      reached.push(request.headers);
      sends(200, { choices: [{ message: { content: "ok" }, finish_reason: "stop" }] })(request, response);
    });
    const baseUrl = await listening(sends(status, "", { location: `${elsewhere}/chat/completions` }));
    expect(await codes(baseUrl)).toEqual(all("model_not_an_api"));
    expect(reached).toEqual([]);
  },
);

test("a server that refuses everything is asked a bounded number of times", async () => {
  const names = ["response_format", "max_tokens", "temperature", "store", "stream_options", "tool_choice", "detail"];
  for (const words of [names, names.toReversed()]) {
    let asked = 0;
    const baseUrl = await listening((request, response) => {
      asked += 1;
      sends(400, error(`${words.join(", ")} and max_completion_tokens are unsupported`))(request, response);
    });
    await expect(chat(baseUrl)).rejects.toMatchObject({ code: "model_request_refused" });
    await expect(chat(baseUrl)).rejects.toMatchObject({ code: "model_request_refused" });
    expect(asked).toBeLessThan(20);
  }
});
