import { expect, test } from "vitest";
import { makeProposal } from "./fake-cloud.ts";
import { deviceOn, startCloud, temporaryStore } from "./setting.ts";

test("nothing lost: a device catches up also over a line that breaks before a page is through, and asks for whole pages on a good one", async () => {
  const cloud = await startCloud();
  cloud.proposals.push(...Array.from({ length: 120 }, (_, n) => makeProposal(n)));
  const sent = new Map<object, number>();
  let holds = 10;
  cloud.onSend = (frame, connection) => {
    if (frame.type !== "scout_proposal") return true;
    const frames = (sent.get(connection) ?? 0) + 1;
    sent.set(connection, frames);
    if (frames > holds) connection.cut();
    return frames <= holds;
  };
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();
  expect(store.proposals.counts().pending).toBe(120);

  holds = Number.POSITIVE_INFINITY;
  const before = cloud.framesOf("proposals_pull").length;
  for (let pull = 0; pull < 8; pull += 1) {
    device.pull();
    await device.settled();
  }
  const limits = cloud.framesOf("proposals_pull").map(({ limit }) => limit);
  expect(limits[0]).toBe(50);
  expect(Math.min(...limits)).toBeLessThan(10);
  expect(limits.slice(before).at(-1)).toBe(50);
});
