import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { answerTimeoutMs, Connection, heldBytes } from "../../infra/local/gateway/connections.ts";
import { Intake, sideBySide } from "../../infra/local/gateway/intake.ts";
import { manualClock } from "../local/manual-clock.ts";

const messageBytes = 128 * 1024;

/** A client that opens a WebSocket and reads nothing after the handshake, and the server's end of it. */
async function silentReader(): Promise<{ client: Socket; socket: WebSocket }> {
  const http = createServer();
  const server = new WebSocketServer({ server: http, perMessageDeflate: false });
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const address = http.address();
  const port = typeof address === "object" && address ? address.port : 0;
  const client = connect(port, "127.0.0.1");
  onTestFinished(() => {
    client.destroy();
    for (const each of server.clients) each.terminate();
    server.close();
    http.close();
  });
  const key = createHash("md5").update("silent").digest("base64");
  client.write(
    `GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  );
  const [[socket]] = await Promise.all([once(server, "connection"), once(client, "data")]);
  client.pause();
  return { client, socket };
}

function connectionOn(socket: WebSocket, clock: ReturnType<typeof manualClock>): Connection {
  const caller = { connectionId: "c1", connectedAtMs: 0, sourceIp: "", userAgent: "", authorizer: undefined };
  const connection = new Connection(caller, socket, clock);
  onTestFinished(() => connection.end());
  return connection;
}

test("a client that never reads is held a bounded number of bytes, costs one wait, and hears again once it reads", async () => {
  const { client, socket } = await silentReader();
  const clock = manualClock();
  const connection = connectionOn(socket, clock);
  const message = Buffer.alloc(messageBytes, "x");
  let sent = 0;
  let answer = await connection.post(message);
  while (answer === "sent") {
    sent += 1;
    const posted = connection.post(message);
    clock.advance(answerTimeoutMs);
    answer = await posted;
    expect(socket.bufferedAmount).toBeLessThanOrEqual(heldBytes + 2 * messageBytes);
    expect(sent).toBeLessThan(1_000);
  }
  expect(answer).toBe("full");
  // No clock moves here: whoever posts from now on is answered at once.
  for (let times = 0; times < 20; times += 1) expect(await connection.post(message)).toBe("full");

  client.resume();
  const waiting: Promise<unknown>[] = [];
  while (socket.bufferedAmount > 0) {
    waiting.push(once(client, "data"));
    await waiting.at(-1);
  }
  expect(await connection.post(message)).toBe("sent");
});

test("whoever waits for a client that leaves is told so", async () => {
  const { client, socket } = await silentReader();
  const clock = manualClock();
  const connection = connectionOn(socket, clock);
  socket.on("close", () => connection.end());
  const message = Buffer.alloc(messageBytes, "x");
  while (socket.bufferedAmount <= heldBytes) await connection.post(message);
  const waiting = connection.post(message);
  client.destroy();
  socket.terminate();
  expect(await waiting).toBe("gone");
});

test("an intake handles frames in their order, a few side by side, and stops reading while others wait", async () => {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const tap: string[] = [];
  const intake = new Intake<number>(
    (frame) => {
      begun.push(frame);
      return new Promise((resolve) => ends.push(resolve));
    },
    { pause: () => tap.push("pause"), resume: () => tap.push("resume") },
  );
  const all = Array.from({ length: 3 * sideBySide }, (_, number) => number);
  for (const frame of all) intake.take(frame);
  expect(begun).toEqual(all.slice(0, sideBySide));
  expect(tap).toEqual(["pause"]);
  for (let ended = 1; begun.length < all.length; ended += 1) {
    ends.shift()?.();
    await new Promise(setImmediate);
    expect(begun).toHaveLength(sideBySide + ended);
  }
  expect(begun).toEqual(all);
  expect(tap).toEqual(["pause", "resume"]);
});
