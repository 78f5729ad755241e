import { expect, test } from "vitest";
import { makeProposal } from "./fake-cloud.ts";
import { deviceOn, startCloud, temporaryStore } from "./setting.ts";

const clockAheadMs = 3_600_000;

test("P2: the first pull of each connection says until when the store holds what it acknowledged, by the cloud's clock", async () => {
  const cloud = await startCloud();
  cloud.serverTime = () => Date.now() + clockAheadMs;
  cloud.proposals.push(makeProposal(1));
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();
  device.pull();
  await cloud.until(() => cloud.framesOf("proposals_pull").length === 2);
  await device.settled();
  const beforeMs = cloud.serverTime();
  await device.close({ keepSession: true });
  const afterMs = cloud.serverTime();

  device.connect();
  await device.settled();
  const [fresh, again, anew] = cloud.framesOf("proposals_pull").map(({ acksUntil }) => acksUntil);
  expect([fresh, again]).toEqual([undefined, undefined]);
  // The way of a message is no part of a clock's difference that can be known.
  expect(anew).toBeGreaterThanOrEqual(beforeMs - 1_000);
  expect(anew).toBeLessThanOrEqual(afterMs);
});

test("P2: what the store holds is said as of before, until a first run of pages has come to its end", async () => {
  const cloud = await startCloud();
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();
  await device.close({ keepSession: true });
  const until = () => cloud.framesOf("proposals_pull").map(({ acksUntil }) => acksUntil);

  let cuts = 0;
  cloud.onFrame = ({ type }, connection) => {
    if (type !== "proposals_pull" || cuts === 2) return "default";
    cuts += 1;
    connection.cut();
    return "handled";
  };
  device.connect();
  await device.settled();
  const [, first, second, third] = until();
  expect(first).toBeTypeOf("number");
  expect([second, third]).toEqual([first, first]);
});

test("P2: a store from before it was noted says when it last heard of the cloud", async () => {
  const cloud = await startCloud();
  const store = temporaryStore();
  const seenAt = Date.now() - 86_400_000;
  store.identity.update({ seenAt, clockOffsetMs: 5_000 });
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();
  expect(cloud.framesOf("proposals_pull")).toMatchObject([{ acksUntil: seenAt + 5_000 }]);
});
