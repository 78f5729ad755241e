import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import {
  type HttpAnswer,
  type HttpRequest,
  type LoopbackServer,
  serveLoopback,
} from "../../infra/standins/loopback-server.ts";
import { guardedGet } from "../../shared/scouts/connectors/guarded-get.ts";

const open: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function served(answer: (request: HttpRequest) => HttpAnswer): Promise<string> {
  const server = await serveLoopback(answer);
  open.push(server);
  return server.url;
}

const nowMs = Date.parse("2026-11-20T09:00:00Z");
const options = {
  reach: "any",
  nowMs,
  timeoutMs: 600_000,
  maxBytes: 1_000,
  headers: { authorization: "token hunter2" },
} as const;

test("a source's headers are sent, and what it answers is given back", async () => {
  const url = await served(({ headers }) => ({
    status: 200,
    headers: { "x-total-count": "3" },
    body: `sent ${headers.authorization}`,
  }));
  const answer = await guardedGet(url, options);
  expect(answer.status).toBe(200);
  expect(answer.headers["x-total-count"]).toBe("3");
  expect(answer.body.toString()).toBe("sent token hunter2");
});

test("unless they are allowed, no redirect is followed: a secret goes where its owner sent it and nowhere else", async () => {
  const seen: (string | undefined)[] = [];
  const elsewhere = await served(({ headers }) => {
    seen.push(headers.authorization);
    return { status: 200, body: "thank you" };
  });
  const url = await served(() => ({ status: 302, headers: { location: elsewhere } }));
  expect(await guardedGet(url, options)).toMatchObject({ status: 302, headers: { location: elsewhere } });
  expect(seen).toEqual([]);
  expect((await guardedGet(url, { ...options, maxRedirects: 1 })).body.toString()).toBe("thank you");
  expect(seen).toEqual(["token hunter2"]);
});

test("it is told where an address has moved to for good: as far as permanent redirects led, and no further", async () => {
  const end = await served(() => ({ status: 200, body: "here" }));
  const to = (status: number, location: string) => served(() => ({ status, headers: { location } }));
  const temporary = await to(302, end);
  const [moved, movedAgain, back] = [await to(301, end), await to(308, `${end}/2`), await to(307, await to(301, end))];
  for (const [from, permanentUrl] of [
    [end, `${end}/`],
    [moved, `${end}/`],
    [movedAgain, `${end}/2`],
    [temporary, `${temporary}/`],
    [await to(301, temporary), `${temporary}/`],
    [back, `${back}/`],
  ] as const) {
    const answer = await guardedGet(from, { ...options, maxRedirects: 3 });
    expect(answer).toMatchObject({ status: 200, permanentUrl });
    expect(answer.url.startsWith(end)).toBe(true);
  }
});

test("a refusal is answered with the time the server asks for, and its words are not read", async () => {
  const url = await served(() => ({ status: 429, headers: { "retry-after": "120" }, body: "Come back later." }));
  const answer = await guardedGet(url, options);
  expect(answer).toMatchObject({ status: 429, retryAfterMs: 120_000 });
  expect(answer.body).toHaveLength(0);
});

test.each([
  ["gzip", gzipSync],
  ["br", brotliCompressSync],
  ["deflate", deflateSync],
  // As servers do that take the coding's name for its word (RFC 9110 §8.4.1.2, note).
  ["deflate", deflateRawSync],
])("an answer in %s is read", async (coding, compress) => {
  const url = await served(() => ({
    status: 200,
    headers: { "content-encoding": coding },
    body: compress("of the garden"),
  }));
  expect((await guardedGet(url, options)).body.toString()).toBe("of the garden");
});

test("what is longer than allowed is not read on", async () => {
  const url = await served(() => ({ status: 200, body: "x".repeat(1_001) }));
  await expect(guardedGet(url, options)).rejects.toMatchObject({
    code: "source_too_large",
    data: { maxBytes: 1_000 },
  });
});

test("an address out of reach is not connected to", async () => {
  let asked = 0;
  const url = await served(() => {
    asked += 1;
    return { status: 200 };
  });
  await expect(guardedGet(url, { ...options, reach: "public" })).rejects.toMatchObject({
    code: "source_address_refused",
  });
  expect(asked).toBe(0);
});

/** A server that resets its connections with its answer. */
async function hangingUp(head: string): Promise<string> {
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.write(`HTTP/1.1 ${head}\r\ncontent-length: 0\r\n\r\n`, () => socket.resetAndDestroy());
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  open.push({ url: "", close: async () => void server.close() });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("a server of the internet that hangs up as it answers leads nobody inside either", async () => {
  let asked = 0;
  const inside = await served(() => {
    asked += 1;
    return { status: 200, body: "of the home" };
  });
  const outside = await hangingUp(`302 Found\r\nlocation: ${inside}`);
  const isPublic = (address: string) => address === "127.0.0.1";
  await expect(guardedGet(outside, { ...options, maxRedirects: 1, isPublic })).rejects.toMatchObject({
    code: "source_address_refused",
  });
  expect(asked).toBe(0);
});

test("a server of the home that hangs up as it answers is still one of the home", async () => {
  expect(await guardedGet(await hangingUp("404 Not Found"), options)).toMatchObject({ status: 404, isPublic: false });
});

test("a redirect to an address written in UTF-8 is followed to that address", async () => {
  const url = await served(({ url: { pathname } }) =>
    pathname === "/"
      ? { status: 301, headers: { location: Buffer.from("/caf\u00e9").toString("latin1") } }
      : { status: 200, body: pathname },
  );
  const answer = await guardedGet(url, { ...options, maxRedirects: 1 });
  expect(answer.body.toString()).toBe("/caf%C3%A9");
});
