import { afterEach, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { listen } from "../../infra/local/gateway/server.ts";
import { json, serveLoopback } from "../../infra/standins/loopback-server.ts";
import { cleanUp, closeLater } from "../standins/mailbox-fixture.ts";
import { foreignHeaders, send, sendBytes } from "./foreign-requests.ts";

afterEach(cleanUp);

const standIn = async () => {
  const { url, close } = closeLater(await serveLoopback(() => json(200, { fine: true })));
  return { port: Number(new URL(url).port), close };
};

async function gateway() {
  const server = await listen(0);
  const sockets = new WebSocketServer({ noServer: true });
  server.serve({
    request: async (_, response) => void response.end("{}"),
    upgrade: async (request, socket, head) => {
      sockets.handleUpgrade(request, socket, head, (socket) => socket.close());
    },
  });
  closeLater({
    close: async () => {
      sockets.close();
      await server.close();
    },
  });
  return server;
}

const handshake = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

describe.each([
  ["a stand-in", standIn],
  ["the gateway", gateway],
] as const)("who may ask %s", (_, start) => {
  it("answers this machine by each of its names, pages of its own, and a link that is followed", async () => {
    const { port } = await start();
    for (const name of ["127.0.0.1", "localhost", "LocalHost", "[::1]"]) {
      expect((await send(port, { headers: { host: `${name}:${port}` } })).status, name).toBe(200);
    }
    const own = `127.0.0.1:${port}`;
    const welcome = [
      { host: own, origin: `http://${own}`, "sec-fetch-site": "same-origin" },
      { host: own, "sec-fetch-site": "none", "sec-fetch-mode": "navigate" },
      { host: own, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" },
      { host: own, "sec-fetch-mode": "cors" },
    ];
    for (const headers of welcome) expect((await send(port, { headers })).status).toBe(200);
  });

  it("refuses what other pages and names send, in one answer that says nothing and shares nothing", async () => {
    const { port } = await start();
    for (const [who, headers] of foreignHeaders(port)) {
      for (const method of ["GET", "POST", "OPTIONS"]) {
        const answer = await send(port, { method, headers, body: method === "POST" ? "a=b" : "" });
        expect(answer.status, `${method} of ${who}`).toBe(403);
        expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      }
    }
  });

  it("refuses requests without a Host, with two, or with an address in the place of a path", async () => {
    const { port } = await start();
    const own = `127.0.0.1:${port}`;
    expect(await sendBytes(port, "GET / HTTP/1.0\r\n\r\n")).toContain("403");
    const two = `GET / HTTP/1.1\r\nHost: ${own}\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    expect(await sendBytes(port, two)).toMatch(/ 40[03] /);
    const whole = `GET http://evil.example/ HTTP/1.1\r\nHost: ${own}\r\nConnection: close\r\n\r\n`;
    expect(await sendBytes(port, whole)).toContain("403");
  });
});

describe("who may open a socket", () => {
  it("opens for this machine, and for no page or name of others", async () => {
    const { port } = await gateway();
    expect((await send(port, { headers: { ...handshake, host: `127.0.0.1:${port}` } })).status).toBe(101);
    for (const [who, headers] of foreignHeaders(port)) {
      expect((await send(port, { headers: { ...handshake, ...headers } })).status, who).toBe(403);
    }
  });
});
