import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { tellOfNews } from "../../cli/up/tell-of-news.ts";
import type { ErrorCode } from "../../events/error-kinds.ts";
import { scoutId } from "../../events/ids.ts";

const scout = scoutId.parse("sct_01KE5Q8600ESE4NYY1EVXDNQEA");

/** A home that answers with these refusals, one after another, and then takes what it is told. */
async function homeThatRefuses(...codes: ErrorCode[]) {
  const taken: string[] = [];
  const server = createServer((request, response) => {
    const code = codes.shift();
    if (code === undefined) taken.push(request.url ?? "");
    response.writeHead(code === undefined ? 202 : 429, { "content-type": "application/json" });
    response.end(JSON.stringify(code === undefined ? {} : { error: { code, message: "", data: {}, requestId: "r" } }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const api = { apiUrl: `http://127.0.0.1:${port}`, auth: async () => "token" };
  return { api, taken };
}

const { signal } = new AbortController();

test("news that are refused for the moment are told again: nobody tells of them twice", async () => {
  const { api, taken } = await homeThatRefuses("rate_limited", "rate_limited");
  const waits: number[] = [];
  expect(await tellOfNews(api, scout, signal, async (ms) => void waits.push(ms))).toBe(true);
  expect(taken).toEqual([`/api/v1/scouts/${scout}/run`]);
  expect(waits).toEqual([2_000, 4_000]);
});

test("those of a scout that does not look are left for when it does", async () => {
  const { api, taken } = await homeThatRefuses("scout_paused");
  expect(await tellOfNews(api, scout, signal, () => expect.unreachable())).toBe(false);
  expect(taken).toEqual([]);
});

test("and those of a home that stops for its next start", async () => {
  const stopping = new AbortController();
  const { api, taken } = await homeThatRefuses("rate_limited", "rate_limited");
  await tellOfNews(api, scout, stopping.signal, async () => stopping.abort());
  expect(taken).toEqual([]);
});
