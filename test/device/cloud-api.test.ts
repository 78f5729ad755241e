import { once } from "node:events";
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { askCloud } from "../../device/connect/cloud-api.ts";
import { type HttpAnswer, json, serveLoopback } from "../../infra/standins/loopback-server.ts";

/** A home that answers so, and the paths it was asked for. */
async function home(answer: (path: string) => HttpAnswer) {
  const paths: string[] = [];
  const server = await serveLoopback((request) => {
    paths.push(request.url.pathname);
    return answer(request.url.pathname);
  });
  onTestFinished(() => server.close());
  return { url: server.url, paths };
}

const ask = (apiUrl: string, auth = async () => "token") =>
  askCloud({ apiUrl, auth }, "GET", "/api/v1/things", z.object({ n: z.number() }));

test("no token goes to another machine in the clear, and none is asked for", async () => {
  let asked = 0;
  const auth = async () => `token-${++asked}`;
  await expect(ask("http://api.example.com/", auth)).rejects.toMatchObject({ code: "address_insecure" });
  expect(asked).toBe(0);
});

test("a home behind a path is asked behind it", async () => {
  const { url, paths } = await home(() => json(200, { n: 1 }));
  for (const base of [url, `${url}/stage`, `${url}/stage/`]) expect(await ask(base)).toEqual({ n: 1 });
  expect(paths).toEqual(["/api/v1/things", "/stage/api/v1/things", "/stage/api/v1/things"]);
});

test("a request is not carried on to where a redirect leads", async () => {
  const { url, paths } = await home((path) =>
    path === "/elsewhere" ? json(200, { n: 1 }) : { status: 307, headers: { location: "/elsewhere" }, body: "" },
  );
  await expect(ask(url)).rejects.toMatchObject({ code: "request_refused" });
  expect(paths).toEqual(["/api/v1/things"]);
});

test("of a change that the home has not answered it is said that nobody knows whether it was made", async () => {
  const server = createServer(({ socket }) => void socket.destroy());
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = z.object({ port: z.number() }).parse(server.address());
  const send = (method: "GET" | "POST") =>
    askCloud({ apiUrl: `http://127.0.0.1:${port}`, auth: async () => "token" }, method, "/api/v1/things", z.unknown());
  await expect(send("POST")).rejects.toThrow(/not known whether this was done\. .* look before you do it again/);
  await expect(send("GET")).rejects.toThrow(/cannot be reached; check the network/);
  server.close();
  await once(server, "close");
  await expect(send("POST")).rejects.toThrow(/cannot be reached; check the network/);
});

const tooMany = (seconds: string) => {
  const error = { code: "rate_limited", message: "Too many requests.", data: {}, requestId: "r" };
  return json(429, { error }, { "retry-after": seconds });
};

test("too many at once are made again where somebody waits for them, as long as that is meant, and not at all otherwise", async () => {
  let refusals = 2;
  const { url, paths } = await home(() => (refusals-- > 0 ? tooMany("0.01") : json(200, { n: 1 })));
  const auth = async () => "token";
  const patiently = (patienceMs: number) =>
    askCloud({ apiUrl: url, auth, patienceMs }, "GET", "/api/v1/things", z.object({ n: z.number() }));
  expect(await patiently(1_000)).toEqual({ n: 1 });
  expect(paths).toHaveLength(3);
  refusals = 2;
  await expect(patiently(15)).rejects.toMatchObject({ code: "rate_limited", data: { retryAfterMs: 10 } });
  refusals = 1;
  await expect(ask(url)).rejects.toMatchObject({ code: "rate_limited" });
});
