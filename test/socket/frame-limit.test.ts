import { ulid } from "ulidx";
import { expect, test } from "vitest";
import { seededRandom } from "../../infra/standins/seeded-random.ts";
import { frameRate } from "../../shared/devices/frame-limit.ts";
import { answerFrame } from "../../shared/devices/frames/answer.ts";
import { ada, bob, inbox, item, laptop, phone, relevant } from "../unit/scouts/setting.ts";
import { type From, MemoryCloud } from "./cloud.ts";

const from: From = { userId: ada, deviceId: laptop, connectionId: "c1" };
const say = (cloud: MemoryCloud, frame: object, by = from) =>
  answerFrame(cloud.ports, by, JSON.stringify({ id: `frm_${ulid()}`, ...frame }));

test.each([
  ["pings", { type: "ping" }, 1],
  ["texts that are no frame", { type: "frob" }, 4],
  ["acks of nothing", { type: "scout_proposal_ack", proposalId: `${inbox}.none` }, 1],
  [
    "ten acks of nothing a frame",
    { type: "scout_proposals_ack", proposalIds: Array.from({ length: 10 }, (_, n) => `${inbox}.none${n}`) },
    10,
  ],
] as const)(
  "a flood of %s is told rate_limited and its connection closed, near the limit",
  async (_, frame, weight) => {
    const cloud = new MemoryCloud(seededRandom(3));
    let sent = 0;
    for (; cloud.closed.length === 0 && sent < 50_000; sent += 1) await say(cloud, frame);

    const limit = (frameRate.burst * 64) / weight;
    expect(sent).toBeGreaterThan(limit * 0.6);
    expect(sent).toBeLessThan(limit * 1.6);
    expect(cloud.closed).toEqual(["c1"]);
    expect(cloud.posted.at(-1)?.frame).toMatchObject({ type: "error", code: "rate_limited" });
  },
);

test("a flood over new connections and other device ids is one flood; another person's devices do not feel it", async () => {
  const cloud = new MemoryCloud(seededRandom(4));
  for (let sent = 0; cloud.closed.length < 3; sent += 1) {
    await say(cloud, { type: "ping" }, { ...from, deviceId: sent % 2 ? phone : laptop, connectionId: `c${sent % 50}` });
    expect(sent).toBeLessThan(50_000);
  }
  const spent = cloud.closed.length;
  const theirs: From = { userId: bob, deviceId: phone, connectionId: "theirs" };
  for (let sent = 0; sent < 500; sent += 1) await say(cloud, { type: "ping" }, theirs);
  expect(cloud.closed).toHaveLength(spent);
  expect(cloud.posted.filter(({ to, frame }) => to === "theirs" && frame.type === "pong")).toHaveLength(500);
});

test("who was cut off may go on after a while", async () => {
  const cloud = new MemoryCloud(() => 0);
  while (cloud.closed.length === 0) await say(cloud, { type: "ping" });
  cloud.nowMs += frameRate.everyMs;
  await say(cloud, { type: "ping" }, { ...from, connectionId: "c2" });
  expect(cloud.posted.at(-1)).toMatchObject({ to: "c2", frame: { type: "pong" } });
});

test("an ack or a decision that changes something costs one write, however unlucky, and no limit ends it", async () => {
  const cloud = new MemoryCloud(() => 0);
  const many = frameRate.burst * 2;
  for (let n = 0; n < many; n += 1) await cloud.items.judge(item(`m${n}`), relevant, cloud.nowMs);
  const before = cloud.requests();
  for (let n = 0; n < many; n += 1) await say(cloud, { type: "scout_proposal_ack", proposalId: `${inbox}.m${n}` });
  expect(cloud.requests() - before).toBe(many);
  expect(cloud.sessions.requests).toEqual({});
  expect(cloud.posted.every(({ frame }) => frame.type === "accepted")).toBe(true);
  expect(cloud.closed).toEqual([]);
});

test("acks that share a frame cost one write each and one answer; repetitions cost one read together and are charged", async () => {
  const cloud = new MemoryCloud(() => 0);
  const proposalIds = Array.from({ length: 50 }, (_, n) => `${inbox}.m${n}`);
  for (let n = 0; n < 50; n += 1) await cloud.items.judge(item(`m${n}`), relevant, cloud.nowMs);
  const before = cloud.requests();
  await say(cloud, { type: "scout_proposals_ack", proposalIds: [...proposalIds.slice(0, 49), proposalIds[0]] });
  expect(cloud.requests() - before).toBe(49);
  expect(cloud.sessions.requests).toEqual({});
  await say(cloud, { type: "scout_proposals_ack", proposalIds });
  expect(cloud.requests() - before).toBe(49 + 50 + 1 + 1);
  expect(cloud.posted.map(({ frame }) => frame.type)).toEqual(["accepted", "accepted"]);
});

test("the ack of another device of the person is another change; its repetition is accepted and changes nothing", async () => {
  const cloud = new MemoryCloud(() => 1);
  await cloud.items.judge(item("m1"), relevant, cloud.nowMs);
  for (const deviceId of [laptop, phone, laptop]) {
    cloud.nowMs += 1;
    await say(cloud, { type: "scout_proposal_ack", proposalId: `${inbox}.m1` }, { ...from, deviceId });
    expect(cloud.posted.at(-1)?.frame).toMatchObject({ type: "accepted" });
  }
  const [row] = await cloud.items.getMany([item("m1")]);
  expect(row?.on).toEqual({ [laptop]: cloud.nowMs - 2, [phone]: cloud.nowMs - 1 });
});
