import { once } from "node:events";
import { Socket } from "node:net";
import * as fc from "fast-check";
import { expect, onTestFinished, test, vi } from "vitest";
import { requireEncrypted } from "../../device/connect/encrypted-address.ts";
import { fullJitterMs, reconnectBackoff } from "../../device/connection/backoff.ts";
import { framesIn } from "../../device/connection/inbox.ts";
import { type ConnectionState, connectionState } from "../../device/connection/state.ts";
import { readMs } from "../../device/connection/timing.ts";
import { serverFrame } from "../../events/frames/frames.ts";
import { socketLimits } from "../../events/frames/limits.ts";
import { frameId } from "../../events/ids.ts";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { makeProposal } from "./fake-cloud.ts";
import { ManualClock } from "./manual-clock.ts";
import { deviceOn, startCloud, temporaryStore } from "./setting.ts";

test("the connection goes through its states and back to idle", async () => {
  const cloud = await startCloud();
  const device = deviceOn(cloud, temporaryStore());
  const states: ConnectionState[] = [];
  device.events.on("state", ({ to }) => states.push(to));

  device.connect();
  await device.settled();
  await device.close();

  expect(states).toEqual(["ticketing", "connecting", "greeting", "ready", "closing", "idle"]);
  expect(cloud.framesOf("bye")).toHaveLength(1);
});

test("a bye that is not confirmed holds the device up for two seconds and no longer", async () => {
  const cloud = await startCloud();
  cloud.confirmsBye = false;
  const clock = new ManualClock();
  const device = deviceOn(cloud, temporaryStore(), { clock });
  device.connect();
  await device.settled();

  let isClosed = false;
  const closed = device.close().then(() => {
    isClosed = true;
  });
  await cloud.until(() => cloud.framesOf("bye").length === 1);
  clock.advance(1_999);
  await new Promise((resolve) => setImmediate(resolve));
  expect(isClosed).toBe(false);
  clock.advance(1);
  await closed;
  expect(device.state).toBe("idle");
});

test("a transition that is not drawn is a defect", () => {
  const state = connectionState(() => {});
  expect(() => state.move("ready")).toThrow("idle -> ready");
});

test("a closed device connects again when asked to", async () => {
  const cloud = await startCloud();
  const device = deviceOn(cloud, temporaryStore());
  device.connect();
  await device.settled();
  await device.close({ keepSession: true });

  device.connect();
  await device.settled();

  expect(cloud.framesOf("hello")).toHaveLength(2);
  expect(cloud.framesOf("bye")).toHaveLength(0);
});

test("close rejects whoever waits for the device to settle", async () => {
  const cloud = await startCloud();
  cloud.onFrame = () => "handled";
  const device = deviceOn(cloud, temporaryStore());
  device.connect();
  const settled = device.settled();
  const rejected = expect(settled).rejects.toMatchObject({ code: "device_closed" });
  await cloud.until(() => cloud.framesOf("hello").length === 1);

  await device.close();
  await rejected;
});

test("the token is asked for anew for every ticket", async () => {
  const cloud = await startCloud();
  let asked = 0;
  const device = deviceOn(cloud, temporaryStore(), { auth: async () => `token-${++asked}` });
  device.connect();
  await device.settled();
  for (const connection of cloud.connections) connection.cut();
  await cloud.until(() => cloud.framesOf("hello").length === 2);

  expect(cloud.tokens).toEqual(["Bearer token-1", "Bearer token-2"]);
});

test("a token that cannot be had and a ticket that is refused are told, remembered and tried again", async () => {
  const cloud = await startCloud();
  const refusals = [401, 500];
  cloud.onTicket = (response) => {
    const status = refusals.shift();
    if (status === undefined) return "default";
    const error = { code: status === 401 ? "unauthenticated" : "internal", message: "", data: {}, requestId: "r" };
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
    return "handled";
  };
  const store = temporaryStore();
  let asked = 0;
  const auth = async () => {
    if (++asked === 1) throw new Error("signed out");
    return "token";
  };
  const device = deviceOn(cloud, store, { auth });
  const told: { code: string; remembered: string | null }[] = [];
  device.events.on("problem", ({ code }) => told.push({ code, remembered: store.identity.get().troubleCode }));

  device.connect();
  await device.settled();

  expect(told).toEqual(
    ["auth_failed", "ticket_refused", "ticket_unavailable"].map((code) => ({ code, remembered: code })),
  );
  expect(store.identity.get()).toMatchObject({ troubleCode: null });
});

test("Retry-After of the ticket endpoint is kept", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  cloud.onTicket = (response) => {
    if (cloud.tokens.length > 1) return "default";
    response.writeHead(429, { "retry-after": "90" }).end();
    return "handled";
  };
  const device = deviceOn(cloud, temporaryStore(), { clock });
  device.connect();
  await once(device.events, "problem");

  clock.advance(89_000);
  expect(device.state).toBe("waiting");
  clock.advance(1_000);
  await once(device.events, "ready");
});

test("it pulls every eight minutes, which keeps the connection, and replaces a socket that does not answer", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  const store = temporaryStore();
  const device = deviceOn(cloud, store, { clock });
  device.connect();
  await device.settled();

  const pages = () => cloud.framesOf("proposals_pull").length;
  clock.advance(7 * 60_000);
  expect(pages()).toBe(1);
  clock.advance(60_000);
  await cloud.until(() => pages() === 2);
  await device.settled();
  expect(store.identity.get().seenAt).toBe(clock.now());
  expect(cloud.framesOf("ping")).toEqual([]);

  cloud.onFrame = ({ type }) => (type === "proposals_pull" ? "handled" : "default");
  clock.advance(8 * 60_000);
  await cloud.until(() => pages() === 3);
  const problem = once(device.events, "problem");
  clock.advance(60_000);
  expect(await problem).toMatchObject([{ code: "answer_overdue" }]);
  clock.advance(1_000);
  await cloud.until(() => cloud.framesOf("hello").length === 2);
});

test("TCP keep-alive holds the connection between pulls", async () => {
  const cloud = await startCloud();
  const keepAlive = vi.spyOn(Socket.prototype, "setKeepAlive");
  onTestFinished(() => keepAlive.mockRestore());
  const device = deviceOn(cloud, temporaryStore());
  device.connect();
  await device.settled();
  expect(keepAlive).toHaveBeenCalledWith(true, 60_000);
});

test.each([0, 0.999])("the socket is replaced before its two hours are over (random %d)", async (random) => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  const startMs = clock.now();
  cloud.limits = { ...cloud.limits, pingEveryMs: 3 * 3_600_000 };
  const device = deviceOn(cloud, temporaryStore(), { clock, random: () => random });
  const problems: unknown[] = [];
  device.events.on("problem", (problem) => problems.push(problem));
  device.connect();
  await device.settled();

  while (device.state === "ready") clock.advance(60_000);
  const rotatedAfterMs = clock.now() - startMs;
  clock.advance(0);
  await cloud.until(() => cloud.framesOf("hello").length === 2);

  expect(rotatedAfterMs).toBeGreaterThan(3_600_000);
  expect(rotatedAfterMs).toBeLessThan(2 * 3_600_000 - 60_000);
  expect(problems).toEqual([]);
});

test.each(["session_unknown", "session_ended"] as const)(
  "%s: the device says hello again and loses nothing",
  async (code) => {
    const cloud = await startCloud();
    cloud.proposals.push(makeProposal(1));
    let refusals = 0;
    cloud.onFrame = (frame, connection) => {
      if (frame.type !== "scout_proposal_ack" || refusals > 0) return "default";
      refusals++;
      connection.send({ type: "error", code, message: "", inReplyTo: frame.id });
      return "handled";
    };
    const device = deviceOn(cloud, temporaryStore());
    device.connect();
    await device.settled();

    expect(cloud.framesOf("hello")).toHaveLength(2);
    const [first, second] = cloud.framesOf("scout_proposal_ack");
    expect(second?.id).toBe(first?.id);
  },
);

test("a device that is cut off for sending too much stays away for half a minute, and loses nothing", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  cloud.proposals.push(makeProposal(1));
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_proposal_ack" || cloud.framesOf("hello").length > 1) return "default";
    connection.send({ type: "error", code: "rate_limited", message: "", inReplyTo: frame.id });
    setImmediate(() => connection.cut());
    return "handled";
  };
  const device = deviceOn(cloud, temporaryStore(), { clock });
  const waiting = new Promise<void>((resolve) => {
    device.events.on("state", ({ to }) => to === "waiting" && resolve());
  });
  device.connect();
  await waiting;

  clock.advance(29_000);
  expect(device.state).toBe("waiting");
  clock.advance(31_000);
  await device.settled();
  expect(cloud.ackedBy.size).toBe(1);
});

test("frames that are not JSON, of an unknown type or of the wrong form are told and change nothing", async () => {
  const cloud = await startCloud();
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  const problems: string[] = [];
  device.events.on("problem", ({ code }) => problems.push(code));
  device.connect();
  await device.settled();
  const bad = ["{", '"x"', "null", "[]", '{"type":"frob"}', '{"type":"scout_proposal","proposal":{"id":"x"}}'];

  const told = new Promise<void>((resolve) => {
    device.events.on("problem", () => problems.length === bad.length && resolve());
  });
  for (const connection of cloud.connections) for (const text of bad) connection.sendText(text);
  await told;

  expect(problems).toEqual(bad.map(() => "frame_invalid"));
  expect(store.proposals.list()).toEqual([]);
  expect(device.state).toBe("ready");
});

test.each(["Internal server error", "Endpoint request timed out", "Too Many Requests"])(
  "what the gateway says itself (%s) is no broken frame: what it may be about is asked again soon",
  async (message) => {
    const cloud = await startCloud();
    const clock = new ManualClock();
    const device = deviceOn(cloud, temporaryStore(), { clock });
    const problems: string[] = [];
    device.events.on("problem", ({ code }) => problems.push(code));
    const pulls = () => cloud.framesOf("proposals_pull").length;
    cloud.onFrame = ({ type }) => (type === "proposals_pull" && pulls() === 1 ? "handled" : "default");
    device.connect();
    await cloud.until(() => pulls() === 1);

    const told = once(device.events, "problem");
    for (const connection of cloud.connections) {
      connection.sendText(JSON.stringify({ message, connectionId: "QcvFyfAZIAMCL2A=", requestId: "QcvGzg==" }));
      // What is broken is told, so that it is known when the text before it was read.
      connection.sendText("{");
    }
    await told;
    clock.advance(readMs / 4);
    await cloud.until(() => pulls() === 2);
    expect(problems).toEqual(["frame_invalid"]);
    await device.close();
  },
);

test("of proposals that share a frame the ones that are understood are taken, each other one is told", async () => {
  const cloud = await startCloud();
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  const problems: string[] = [];
  device.events.on("problem", ({ code }) => problems.push(code));
  device.connect();
  await device.settled();
  const newer = { ...makeProposal(2), reasonCode: "of_a_newer_cloud" };
  const proposals = [makeProposal(1), newer, makeProposal(3)];

  for (const connection of cloud.connections)
    connection.sendText(JSON.stringify({ type: "scout_proposals", proposals }));
  await expect.poll(() => store.proposals.list()).toHaveLength(2);

  const taken = store.proposals.list().map(({ sourceMsgRef }) => sourceMsgRef);
  expect(taken.sort()).toEqual(["msg-1", "msg-3"]);
  expect(problems).toEqual(["frame_invalid"]);
  expect(device.state).toBe("ready");
});

test("a frame of no proposals, or of none that is understood, brings nothing", () => {
  const read = (proposals: unknown) => framesIn(JSON.stringify({ type: "scout_proposals", proposals }));
  expect(read([])).toEqual([undefined]);
  expect(read("x")).toEqual([undefined]);
  expect(read([{ id: "x" }, null])).toEqual([undefined, undefined]);
  expect(read(Array(socketLimits.pageSize + 1).fill(makeProposal(1)))).toEqual([undefined]);
});

test("whatever text comes over the socket, reading it ends in a frame or in none", () => {
  const json = fc.json().map((text) => ({ text }));
  const mutated = fc.record({ at: fc.nat(400), piece: fc.string({ maxLength: 5 }) }).map(({ at, piece }) => {
    const text = JSON.stringify({ type: "scout_proposal", proposal: makeProposal(1) });
    return { text: text.slice(0, at) + piece + text.slice(at + 1) };
  });
  fc.assert(
    fc.property(
      fc.oneof(
        json,
        mutated,
        fc.string().map((text) => ({ text })),
      ),
      ({ text }) => {
        for (const frame of framesIn(text)) if (frame !== undefined) expect(serverFrame.parse(frame)).toEqual(frame);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a greeting that answers another hello does not count", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  cloud.onFrame = (frame, connection) => {
    const foreign = frameId.parse("frm_01JD0000000000000000000000");
    if (frame.type === "hello") connection.send({ type: "accepted", inReplyTo: foreign });
    return "handled";
  };
  const device = deviceOn(cloud, temporaryStore(), { clock });
  device.connect();
  await cloud.until(() => cloud.framesOf("hello").length === 1);

  const problem = once(device.events, "problem");
  clock.advance(20_000);
  expect(await problem).toMatchObject([{ code: "answer_overdue" }]);
});

test("the clock's offset is measured at the greeting and kept", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock(1_000_000);
  cloud.serverTime = () => 1_005_000;
  const store = temporaryStore();
  const device = deviceOn(cloud, store, { clock });
  device.connect();
  await device.settled();

  expect(store.identity.get()).toMatchObject({ clockOffsetMs: 5_000, readyAt: 1_000_000 });
});

test("a token or a ticket never goes over an unencrypted connection to another machine", () => {
  for (const address of ["https://api.example.com/", "wss://x.example.com", "http://127.0.0.1:1", "ws://localhost:2"]) {
    expect(requireEncrypted(address).href).toContain(new URL(address).host);
  }
  for (const address of ["http://api.example.com/", "ws://x.example.com", "http://localhost.example.com"]) {
    expect(() => requireEncrypted(address)).toThrow(expect.objectContaining({ code: "address_insecure" }));
  }
});

test("back-off is full jitter: anything up to a bound that doubles and is capped", () => {
  const backoff = { baseMs: 100, capMs: 1_000 };
  const highest = (failures: number) => fullJitterMs(failures, () => 0.999_999, backoff);
  expect([1, 2, 3, 4, 5, 60].map(highest)).toEqual([99, 199, 399, 799, 999, 999]);
  expect(fullJitterMs(9, () => 0, backoff)).toBe(0);
});

test("a storm spreads: a thousand devices cut off at once and refused for a minute come back over a minute, not together", () => {
  const random = seededRandom(11);
  const arrivals = Array.from({ length: 1_000 }, () => {
    let atMs = 0;
    for (let failures = 1; atMs < 60_000; failures += 1) {
      atMs += 50 + fullJitterMs(failures, random, reconnectBackoff);
    }
    return atMs;
  });
  const perSecond = Map.groupBy(arrivals, (atMs) => Math.floor(atMs / 1_000));
  const busiest = Math.max(...[...perSecond.values()].map((each) => each.length));
  // All within a second would be 1,000, evenly over the minute that follows 17.
  expect(busiest).toBeLessThan(60);
  expect(Math.max(...arrivals)).toBeLessThan(60_000 + reconnectBackoff.capMs + 50);
});

test("Node's own WebSocket does as well", async () => {
  const cloud = await startCloud();
  cloud.proposals.push(...Array.from({ length: 60 }, (_, n) => makeProposal(n)));
  const store = temporaryStore();
  const device = deviceOn(cloud, store, { WebSocket: globalThis.WebSocket });
  device.connect();
  await device.settled();
  await device.close();

  expect(store.proposals.counts().pending).toBe(60);
  expect(cloud.ackedBy.size).toBe(60);
});
