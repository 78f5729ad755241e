import { once } from "node:events";
import { expect, test } from "vitest";
import { windowFrames } from "../../../device/connection/timing.ts";
import type { ErrorCode } from "../../../events/error-kinds.ts";
import { socketLimits } from "../../../events/frames/limits.ts";
import { ManualClock } from "../manual-clock.ts";
import { startCloud } from "../setting.ts";
import { contentOn, cutAll, device, oneSession, run, sessionNumber } from "./setting.ts";

const cancel = { type: "agent_cancel", runId: run } as const;

async function sessionCloud() {
  const cloud = await startCloud();
  oneSession(cloud);
  return cloud;
}

test("a frame is accepted, a content frame arrives, and the close says no bye", async () => {
  const cloud = await sessionCloud();
  const channel = contentOn(cloud);
  const complete = { type: "run_complete", runId: run, status: "cancelled", text: "" } as const;
  const details = { tokensUsed: 0, toolCalls: 0, prompt: null } as const;
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "agent_cancel") return "default";
    connection.send({ type: "accepted", inReplyTo: frame.id });
    connection.send({ ...complete, ...details });
    return "handled";
  };

  expect(await channel.ready()).toBe(sessionNumber(1));
  const arrived = once(channel.events, "frame");
  await channel.send(cancel);
  expect(await arrived).toEqual([{ ...complete, ...details }]);
  await channel.close();

  expect(cloud.framesOf("hello")).toMatchObject([{ deviceId: device }]);
  expect(cloud.frames.map(({ type }) => type)).toEqual(["hello", "agent_cancel"]);
  await expect(channel.send(cancel)).rejects.toMatchObject({ code: "device_closed" });
});

test("P2: a frame that was not accepted goes again over the next connection, under its id", async () => {
  const cloud = await sessionCloud();
  const channel = contentOn(cloud);
  let cuts = 0;
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "agent_cancel") return "default";
    cuts += 1;
    if (cuts < 3) connection.cut();
    else connection.send({ type: "accepted", inReplyTo: frame.id });
    return "handled";
  };
  const greetings: boolean[] = [];
  channel.events.on("ready", ({ isNew }) => greetings.push(isNew));

  await channel.send(cancel);

  const ids = new Set(cloud.framesOf("agent_cancel").map(({ id }) => id));
  expect([cloud.framesOf("agent_cancel").length, ids.size]).toEqual([3, 1]);
  expect(greetings).toEqual([true, false, false]);
});

test("another session after a reconnection rejects what belongs to the one before", async () => {
  const cloud = await sessionCloud();
  const channel = contentOn(cloud);
  cloud.onFrame = (frame) => (frame.type === "agent_cancel" ? "handled" : "default");
  const sent = expect(channel.send(cancel)).rejects.toMatchObject({ code: "session_ended" });
  await cloud.until(() => cloud.framesOf("agent_cancel").length === 1);
  cloud.sessionOf = () => ({ sessionId: sessionNumber(2), sessionKey: "AAAA" });

  cutAll(cloud);

  await sent;
  expect(await channel.ready()).toBe(sessionNumber(2));
});

test.each([
  ["run_ended", 1],
  ["quota_exceeded", 1],
] satisfies [ErrorCode, number][])("a final refusal (%s) is the sender's and not repeated", async (code, times) => {
  const cloud = await sessionCloud();
  const channel = contentOn(cloud);
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "agent_cancel") return "default";
    connection.send({ type: "error", code, message: "", inReplyTo: frame.id });
    return "handled";
  };
  await expect(channel.send(cancel)).rejects.toMatchObject({ name: "ScoutsError", code });
  expect(cloud.framesOf("agent_cancel")).toHaveLength(times);
});

test("a passing refusal is met by sending again, and given up at last", async () => {
  const cloud = await sessionCloud();
  const channel = contentOn(cloud, { random: () => 0 });
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "agent_cancel") return "default";
    connection.send({ type: "error", code: "storage_throttled", message: "", inReplyTo: frame.id });
    return "handled";
  };
  await expect(channel.send(cancel)).rejects.toMatchObject({ code: "storage_throttled" });
  expect(cloud.framesOf("agent_cancel")).toHaveLength(6);
});

test("a session the cloud does not know any more is begun anew with hello", async () => {
  const cloud = await sessionCloud();
  const channel = contentOn(cloud);
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "agent_cancel") return "default";
    connection.send({ type: "error", code: "session_unknown", message: "", inReplyTo: frame.id });
    return "handled";
  };
  await channel.ready();
  const again = once(channel.events, "lost");
  await expect(channel.send(cancel)).rejects.toMatchObject({ code: "session_unknown" });
  expect(await again).toEqual(["session_unknown"]);
  await channel.ready();
  expect(cloud.framesOf("hello")).toHaveLength(2);
});

test("frames wait while as many as the window holds are unanswered, and stay in order", async () => {
  const cloud = await sessionCloud();
  const channel = contentOn(cloud);
  cloud.onFrame = (frame) => (frame.type === "agent_cancel" ? "handled" : "default");
  await channel.ready();
  const count = windowFrames + 20;
  const sent = Array.from({ length: count }, () => channel.send(cancel));
  const answered: string[] = [];

  while (answered.length < count) {
    const expected = Math.min(count, windowFrames + answered.length);
    await cloud.until(() => cloud.framesOf("agent_cancel").length === expected);
    const open = cloud.framesOf("agent_cancel").filter(({ id }) => !answered.includes(id));
    expect(open.length).toBeLessThanOrEqual(windowFrames);
    for (const { id } of open.slice(0, 1)) {
      answered.push(id);
      cloud.push({ type: "accepted", inReplyTo: id });
    }
  }
  await Promise.all(sent);
  expect(cloud.framesOf("agent_cancel").map(({ id }) => id)).toEqual(answered);
});

test("a frame larger than the socket takes is refused here", async () => {
  const cloud = await sessionCloud();
  const channel = contentOn(cloud);
  const message = { inline: "x".repeat(socketLimits.frameBytes) };
  const sent = channel.send({ type: "agent_run", runId: run, agent: "home", message });
  await expect(sent).rejects.toMatchObject({ code: "frame_too_large" });
  expect(cloud.framesOf("agent_run")).toEqual([]);
});

test("an unanswered frame makes the channel look whether anybody is there; silence costs the connection", async () => {
  const cloud = await sessionCloud();
  const clock = new ManualClock();
  const channel = contentOn(cloud, { clock });
  cloud.onFrame = (frame) => (frame.type === "agent_cancel" || frame.type === "ping" ? "handled" : "default");
  await channel.ready();
  const sent = channel.send(cancel);
  await cloud.until(() => cloud.framesOf("agent_cancel").length === 1);
  const lost = once(channel.events, "lost");

  clock.advance(30_000);
  await cloud.until(() => cloud.framesOf("ping").length === 1);
  cloud.onFrame = (frame, connection) => {
    if (frame.type === "agent_cancel") connection.send({ type: "accepted", inReplyTo: frame.id });
    return "default";
  };
  clock.advance(30_000);

  expect(await lost).toEqual(["answer_overdue"]);
  clock.advance(60_000);
  await sent;
});

test("pings go out on time, and the connection is replaced before its life ends", async () => {
  const cloud = await sessionCloud();
  const clock = new ManualClock();
  const channel = contentOn(cloud, { clock, random: () => 0 });
  await channel.ready();

  clock.advance(socketLimits.pingEveryMs);
  await cloud.until(() => cloud.framesOf("ping").length === 1);
  clock.advance(0.9 * socketLimits.lifeMs);

  await cloud.until(() => cloud.framesOf("hello").length >= 2);
  expect(cloud.framesOf("bye")).toEqual([]);
});

test("a cloud that stays away is given up, and everyone waiting hears why", async () => {
  const cloud = await sessionCloud();
  const channel = contentOn(cloud, { patienceMs: 0, random: () => 0.9 });
  cloud.onFrame = (frame) => (frame.type === "agent_cancel" ? "handled" : "default");
  await channel.ready();
  const sent = expect(channel.send(cancel)).rejects.toMatchObject({ code: "connection_lost" });
  const ended = once(channel.events, "ended");
  await cloud.until(() => cloud.framesOf("agent_cancel").length === 1);

  cutAll(cloud);

  await sent;
  expect(await ended).toMatchObject([{ code: "connection_lost" }]);
  await expect(channel.ready()).rejects.toMatchObject({ code: "connection_lost" });
});

test("a refused ticket ends the channel at once; one that cannot be had now is asked for again", async () => {
  const cloud = await sessionCloud();
  const statuses = [503, 401];
  cloud.onTicket = (response) => {
    response.writeHead(statuses.shift() ?? 500).end("{}");
    return "handled";
  };
  await expect(contentOn(cloud).ready()).rejects.toMatchObject({ code: "ticket_refused" });
  expect(cloud.tokens).toHaveLength(2);
});

test("an aborted signal closes it", async () => {
  const cloud = await sessionCloud();
  const abort = new AbortController();
  const channel = contentOn(cloud, { signal: abort.signal });
  cloud.onFrame = (frame) => (frame.type === "agent_cancel" ? "handled" : "default");
  const sent = expect(channel.send(cancel)).rejects.toMatchObject({ code: "device_closed" });
  await cloud.until(() => cloud.framesOf("agent_cancel").length === 1);
  abort.abort();
  await sent;
  await cloud.until(() => cloud.connections.size === 0);
});

test("a frame on a channel that is closed at that moment is refused, as any after it", async () => {
  const cloud = await sessionCloud();
  const channel = contentOn(cloud);
  await channel.ready();
  const sent = channel.send(cancel);
  const closed = channel.close();
  await expect(sent).rejects.toMatchObject({ code: "device_closed" });
  await closed;
});
