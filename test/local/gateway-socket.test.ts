import { once } from "node:events";
import { request } from "node:http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import { FrameMeter } from "../../infra/local/gateway/frame-meter.ts";
import { manualClock } from "./manual-clock.ts";
import type { Sighting } from "./observer.ts";
import { type Fixture, startFixture } from "./start-fixture.ts";

const allow = ({ event }: Sighting) =>
  ({
    do: "return",
    value: {
      principalId: "person",
      policyDocument: { Statement: [{ Effect: "Allow", Action: "execute-api:Invoke", Resource: event["methodArn"] }] },
      context: { userId: "u1", count: 3 },
    },
  }) as const;

const ok = () => ({ do: "return", value: { statusCode: 200 } }) as const;

async function startSocketFixture(...options: Parameters<typeof startFixture>): Promise<Fixture> {
  const fixture = await startFixture(...options);
  fixture.observer.script("authorizer", allow);
  for (const role of ["connect", "disconnect", "message"]) fixture.observer.script(role, ok);
  return fixture;
}

const open = async ({ home }: Fixture, query = "?ticket=t1") => {
  const socket = new WebSocket(`${home.socketUrl}${query}`);
  await once(socket, "open");
  return socket;
};

/** Status of a refused upgrade. */
const refusal = ({ home }: Fixture, query: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    const socket = new WebSocket(`${home.socketUrl}${query}`);
    socket.on("unexpected-response", (_, response) => resolve(response.statusCode));
    socket.on("open", () => reject(new Error("the socket was let in")));
    socket.on("error", () => {});
  });

/** How a handshake is answered; a connection that it opens is left at once. */
const handshakeStatus = ({ home }: Fixture, headers: Record<string, string>, method = "GET") =>
  new Promise<number | undefined>((resolve, reject) => {
    const asked = request(`${home.socketUrl.replace(/^ws/, "http")}?ticket=t1`, { method, headers });
    asked.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(response.statusCode);
    });
    asked.on("response", (response) => resolve(response.resume().statusCode));
    asked.on("error", reject);
    asked.end();
  });

const contextOf = (sighting: Sighting | undefined) => sighting?.event["requestContext"] as Record<string, unknown>;

describe("the WebSocket gateway", () => {
  it("asks the authorizer, then $connect, and hands the authorizer's context to every later event", async () => {
    await using fixture = await startSocketFixture();
    const socket = await open(fixture, "?ticket=t1&more=2");
    socket.send('{"type":"hello"}');
    const [authorizer] = await fixture.observer.sightings("authorizer", 1);
    const [connect] = await fixture.observer.sightings("connect", 1);
    const [message] = await fixture.observer.sightings("message", 1);
    socket.close(1000, "done");
    const [disconnect] = await fixture.observer.sightings("disconnect", 1);
    expect(authorizer?.event).toMatchObject({
      type: "REQUEST",
      methodArn: expect.stringMatching(/^arn:aws:execute-api:us-east-1:000000000000:socket\/\$default\/\$connect$/),
      queryStringParameters: { ticket: "t1", more: "2" },
      multiValueQueryStringParameters: { ticket: ["t1"], more: ["2"] },
      requestContext: { routeKey: "$connect", eventType: "CONNECT" },
    });
    expect(connect?.event).toMatchObject({
      headers: { Upgrade: "websocket", "Sec-WebSocket-Version": "13" },
      requestContext: { routeKey: "$connect", eventType: "CONNECT", messageId: null, messageDirection: "IN" },
      isBase64Encoded: false,
    });
    expect(message?.event).toMatchObject({
      requestContext: { routeKey: "$default", eventType: "MESSAGE", messageId: expect.any(String) },
      body: '{"type":"hello"}',
      isBase64Encoded: false,
    });
    expect(disconnect?.event).toMatchObject({
      requestContext: {
        routeKey: "$disconnect",
        eventType: "DISCONNECT",
        disconnectStatusCode: 1000,
        disconnectReason: "done",
      },
    });
    const ids = [connect, message, disconnect].map((sighting) => contextOf(sighting)["connectionId"]);
    expect(new Set(ids).size).toBe(1);
    for (const sighting of [connect, message, disconnect]) {
      expect(contextOf(sighting)["authorizer"]).toMatchObject({ principalId: "person", userId: "u1", count: "3" });
    }
  });

  it("refuses with 401 without a ticket, 401 or 403 as the authorizer says, 500 on its failure, and what $connect answers", async () => {
    await using fixture = await startSocketFixture();
    expect(await refusal(fixture, "")).toBe(401);
    expect(fixture.observer.seen).toEqual([]);
    fixture.observer.script("authorizer", () => ({ do: "throw", message: "Unauthorized" }));
    expect(await refusal(fixture, "?ticket=t1")).toBe(401);
    fixture.observer.script("authorizer", () => ({ do: "throw", message: "anything else" }));
    expect(await refusal(fixture, "?ticket=t1")).toBe(500);
    fixture.observer.script("authorizer", () => ({
      do: "return",
      value: { principalId: "x", policyDocument: { Statement: [{ Effect: "Deny", Action: "*", Resource: "*" }] } },
    }));
    expect(await refusal(fixture, "?ticket=t1")).toBe(403);
    fixture.observer.script("authorizer", () => ({ do: "return", value: { isAuthorized: true } }));
    expect(await refusal(fixture, "?ticket=t1")).toBe(500);
    fixture.observer.script("authorizer", allow);
    fixture.observer.script("connect", () => ({ do: "return", value: { statusCode: 403 } }));
    expect(await refusal(fixture, "?ticket=t1")).toBe(403);
  });

  it("nothing is asked or told of a handshake that is none: no ticket is spent on it, and no connection begins that never ends", async () => {
    await using fixture = await startSocketFixture();
    const handshake = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": Buffer.alloc(16).toString("base64"),
    };
    expect(await handshakeStatus(fixture, handshake)).toBe(101);
    await fixture.observer.sightings("disconnect", 1);
    const before = fixture.observer.seen.length;
    for (const wrong of [
      { "sec-websocket-key": "short" },
      { "sec-websocket-version": "12" },
      { upgrade: "h2c" },
      { "sec-websocket-protocol": "one,,two" },
      { "sec-websocket-protocol": "one, one" },
    ]) {
      expect([wrong, await handshakeStatus(fixture, { ...handshake, ...wrong })]).toEqual([wrong, 400]);
    }
    expect(await handshakeStatus(fixture, handshake, "POST")).toBe(405);
    expect(fixture.observer.seen).toHaveLength(before);
  });

  it("cannot be posted to before $connect has returned, nor after the client left: 410", async () => {
    await using fixture = await startSocketFixture();
    const post = async (connectionId: unknown) => {
      fixture.observer.script("message", () => ({
        do: "aws",
        calls: [`post ${connectionId} early`],
        catchErrors: true,
      }));
      return fixture.home.invoke("SocketRouteDefault", {});
    };
    const early = Promise.withResolvers<unknown>();
    fixture.observer.script("connect", async (sighting) => {
      early.resolve(await post(contextOf(sighting)["connectionId"]));
      return ok();
    });
    const socket = await open(fixture);
    expect(await early.promise).toEqual({ status: "success", result: "GoneException" });
    const [connect] = await fixture.observer.sightings("connect", 1);
    const id = contextOf(connect)["connectionId"];
    const received = once(socket, "message");
    expect(await post(id)).toEqual({ status: "success", result: "done" });
    expect(String((await received)[0])).toBe("early");
    socket.close();
    await fixture.observer.sightings("disconnect", 1);
    expect(await post(id)).toEqual({ status: "success", result: "GoneException" });
  });

  it("closes with 1009 on a frame over 32 KB and on a message over 128 KB, and passes what is just within", async () => {
    await using fixture = await startSocketFixture();
    const fragmented = (socket: WebSocket, bytes: number) => {
      for (let sent = 0; sent < bytes; ) {
        const size = Math.min(32 * 1024, bytes - sent);
        sent += size;
        socket.send("x".repeat(size), { fin: sent === bytes });
      }
    };
    const first = await open(fixture);
    first.send("x".repeat(32 * 1024));
    fragmented(first, 128 * 1024);
    const [frame, message] = await fixture.observer.sightings("message", 2);
    // Events of one connection are handled side by side, as on API Gateway, so their order is not fixed.
    const lengths = [frame, message].map((sighting) => String(sighting?.event["body"]).length);
    expect(lengths.toSorted((a, b) => a - b)).toEqual([32_768, 131_072]);
    first.send("x".repeat(32 * 1024 + 1));
    expect((await once(first, "close"))[0]).toBe(1009);
    const second = await open(fixture);
    fragmented(second, 128 * 1024 + 1);
    expect((await once(second, "close"))[0]).toBe(1009);
    await fixture.observer.sightings("disconnect", 2);
    expect(fixture.observer.seen.filter(({ role }) => role === "message")).toHaveLength(2);
  });

  it("refuses to post more than 128 KB", async () => {
    await using fixture = await startSocketFixture();
    const socket = await open(fixture);
    const [connect] = await fixture.observer.sightings("connect", 1);
    const id = contextOf(connect)["connectionId"];
    fixture.observer.script("message", () => ({ do: "aws", calls: [`post ${id} x131073`], catchErrors: true }));
    expect(await fixture.home.invoke("SocketRouteDefault", {})).toEqual({
      status: "success",
      result: "PayloadTooLargeException",
    });
    socket.close();
  });

  it("closes after ten idle minutes, which traffic postpones, and after two hours in any case", async () => {
    const clock = manualClock();
    await using fixture = await startSocketFixture({ clock });
    const minute = 60_000;
    const socket = await open(fixture);
    clock.advance(9 * minute);
    socket.send("still here");
    await fixture.observer.sightings("message", 1);
    clock.advance(9 * minute);
    expect(socket.readyState).toBe(WebSocket.OPEN);
    clock.advance(minute);
    expect((await once(socket, "close"))[0]).toBe(1001);

    const lasting = await open(fixture);
    for (let sent = 2; sent <= 13; sent++) {
      clock.advance(9 * minute);
      lasting.send("still here");
      await fixture.observer.sightings("message", sent);
    }
    clock.advance(12 * minute);
    expect((await once(lasting, "close"))[0]).toBe(1001);
  });

  it("tells the client when its message could not be handled, in API Gateway's words", async () => {
    await using fixture = await startSocketFixture();
    fixture.observer.script("message", () => ({ do: "throw", message: "secret" }));
    const socket = await open(fixture);
    const answer = once(socket, "message");
    socket.send("x");
    expect(JSON.parse(String((await answer)[0]))).toEqual({
      message: "Internal server error",
      connectionId: expect.any(String),
      requestId: expect.any(String),
    });
    socket.close();
  });

  it("refuses management calls from functions without the right", async () => {
    await using fixture = await startSocketFixture();
    const response = await fetch(`${fixture.home.apiUrl}/socket/@connections/abc%3D`, { method: "POST", body: "x" });
    expect(response.status).toBe(403);
  });
});

describe("the frame meter", () => {
  const frame = (bytes: number, masked: boolean) => {
    const length =
      bytes < 126
        ? [bytes]
        : bytes < 65_536
          ? [126, bytes >> 8, bytes & 255]
          : [127, 0, 0, 0, 0, bytes >>> 24, (bytes >> 16) & 255, (bytes >> 8) & 255, bytes & 255];
    const [first = 0, ...rest] = length;
    return Buffer.concat([
      Buffer.from([0x81, first | (masked ? 0x80 : 0), ...rest]),
      Buffer.alloc((masked ? 4 : 0) + bytes),
    ]);
  };

  it("finds the one frame over the limit however the stream is cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), fc.boolean()), { maxLength: 8 }),
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 97 }), { minLength: 1 }),
        (frames, tooLong, cuts) => {
          const within = frames.map(([bytes, masked]) => frame(bytes, masked));
          const stream = Buffer.concat([...within, ...(tooLong ? [frame(1001, true)] : [])]);
          let reported = 0;
          const meter = new FrameMeter(1000, () => {
            reported += 1;
          });
          for (let at = 0, cut = 0; at < stream.length && reported === 0; cut++) {
            const size = cuts[cut % cuts.length] ?? 1;
            meter.take(stream.subarray(at, at + size));
            at += size;
          }
          expect(reported).toBe(tooLong ? 1 : 0);
        },
      ),
    );
  });
});
