import { expect, test } from "vitest";
import { makeProposal } from "./fake-cloud.ts";
import { ManualClock } from "./manual-clock.ts";
import { deviceOn, startCloud, temporaryFolder, temporaryStore } from "./setting.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** A device that holds so many proposals, of which the cloud has those with an even number decided elsewhere by now. */
async function decidedElsewhere(count: number) {
  const cloud = await startCloud();
  const clock = new ManualClock();
  cloud.limits = { ...cloud.limits, pingEveryMs: 30 * dayMs, lifeMs: 60 * dayMs };
  cloud.proposals.push(...Array.from({ length: count }, (_, n) => makeProposal(n)));
  const store = temporaryStore(temporaryFolder(), () => clock.now());
  const device = deviceOn(cloud, store, { clock });
  device.connect();
  await device.settled();
  await device.close({ keepSession: true });
  for (let n = 0; n < count; n += 2) cloud.resolved.set(makeProposal(n).id, "approved");
  const again = async () => {
    device.connect();
    await device.settled();
    await device.close({ keepSession: true });
  };
  return { cloud, clock, store, device, again };
}

test("a device that was away asks about what is pending, a hundred at a time, and closes what was decided elsewhere", async () => {
  const { cloud, clock, store, device, again } = await decidedElsewhere(250);
  const closed: string[] = [];
  device.events.on("closed", ({ id }) => closed.push(id));
  clock.advance(11 * minuteMs);
  await again();
  expect(cloud.framesOf("proposals_check").map(({ proposalIds }) => proposalIds.length)).toEqual([100, 100, 50]);
  expect(store.proposals.counts()).toMatchObject({ pending: 125, expired: 125 });
  expect(new Set(closed).size).toBe(125);
});

test("a short absence costs no question, and a day does", async () => {
  const { cloud, clock, again } = await decidedElsewhere(2);
  clock.advance(9 * minuteMs);
  await again();
  expect(cloud.framesOf("proposals_check")).toHaveLength(0);
  for (let minutes = 0; minutes < dayMs / minuteMs; minutes += 9) {
    clock.advance(9 * minuteMs);
    await again();
  }
  expect(cloud.framesOf("proposals_check")).toHaveLength(1);
});

test("a clock that has stepped back makes no absence short", async () => {
  const { cloud, clock, again } = await decidedElsewhere(2);
  clock.advance(-2 * dayMs);
  await again();
  expect(cloud.framesOf("proposals_check")).toHaveLength(1);
});

test("a check that was cut is begun anew on the next connection", async () => {
  const { cloud, clock, store, device } = await decidedElsewhere(150);
  clock.advance(11 * minuteMs);
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "proposals_check" || cloud.framesOf("proposals_check").length !== 2) return "default";
    connection.cut();
    return "handled";
  };
  const waiting = new Promise<void>((resolve) => {
    device.events.on("state", ({ to }) => to === "waiting" && resolve());
  });
  device.connect();
  await waiting;
  clock.advance(minuteMs);
  await device.settled();
  expect(store.proposals.counts()).toMatchObject({ pending: 75, expired: 75 });
});

test("a cloud that does not know the question is not asked again for a day", async () => {
  const { cloud, clock, again } = await decidedElsewhere(2);
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "proposals_check") return "default";
    connection.send({ type: "error", code: "unknown_frame", message: "", inReplyTo: frame.id });
    return "handled";
  };
  clock.advance(11 * minuteMs);
  await again();
  await again();
  expect(cloud.framesOf("proposals_check")).toHaveLength(1);
});

test("a check that a session's end has cut is begun anew", async () => {
  const { cloud, clock, device, store } = await decidedElsewhere(2);
  clock.advance(11 * minuteMs);
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "proposals_check" || cloud.framesOf("proposals_check").length > 1) return "default";
    connection.send({ type: "error", code: "session_ended", message: "", inReplyTo: frame.id });
    return "handled";
  };
  const waiting = new Promise<void>((resolve) => {
    device.events.on("state", ({ to }) => to === "waiting" && resolve());
  });
  device.connect();
  await waiting;
  clock.advance(minuteMs);
  await device.settled();
  expect(store.proposals.counts()).toMatchObject({ pending: 1, expired: 1 });
});
