import { expect, test } from "vitest";
import { systemPorts } from "../../device/connection/ports.ts";
import { decideProposal, newFrameId, undoDecision } from "../../device/store/decide.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { makeProposal } from "./fake-cloud.ts";
import { ManualClock } from "./manual-clock.ts";
import { deviceOn, startCloud, temporaryFolder, temporaryStore } from "./setting.ts";

const nextFrameId = () => newFrameId(systemTimeAndIds.newId);
const holdMs = 10_000;
const { id } = makeProposal(1);

async function connected() {
  const clock = new ManualClock();
  const cloud = await startCloud();
  cloud.proposals.push(makeProposal(1), makeProposal(2));
  const store = temporaryStore(temporaryFolder(), () => clock.now());
  const device = deviceOn(cloud, store, { clock });
  device.connect();
  await cloud.until(() => cloud.framesOf("proposals_pull").length > 0);
  await until(clock, () => store.proposals.counts().pending === 2 && store.outbox.counts().waiting === 0);
  return { clock, cloud, store, device };
}

/** Turns the clock a little whenever the sockets have had a turn. */
async function until(clock: ManualClock, holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(1);
  }
}

test("P2: a decision that may be undone is sent when its time has come, once, and not before", async () => {
  const { clock, cloud, store } = await connected();
  decideProposal(store, id, "approved", nextFrameId, clock.now() + holdMs);
  // Another decision goes at once and shows that the outbox was looked at.
  decideProposal(store, makeProposal(2).id, "rejected", nextFrameId);
  clock.advance(600);
  const other = store.outbox.counts().waiting;
  expect(other).toBe(2);
  const second = openDeviceStore({ ...systemTimeAndIds, dataFolder: store.dataFolder, now: () => clock.now() });
  second.cursors.set("a write by another process", "1");
  second.close();
  await until(clock, () => cloud.resolved.has(makeProposal(2).id));
  expect(cloud.resolved.has(id)).toBe(false);
  clock.advance(holdMs);
  await until(clock, () => store.outbox.counts().waiting === 0);
  expect(cloud.resolved.get(id)).toBe("approved");
  expect(cloud.framesOf("scout_proposal_resolved")).toHaveLength(2);
});

test("nothing lost: a decision that was made while the clock was ahead is sent once the clock is right, and not a year later", async () => {
  const { clock, cloud, store, device } = await connected();
  device.decide(id, "approved", clock.now() + holdMs);
  clock.setBack(365 * 86_400_000);
  clock.advance(holdMs);
  await until(clock, () => store.outbox.counts().waiting === 0);
  expect(cloud.resolved.get(id)).toBe("approved");
  expect(store.outbox.heldDecisions()).toEqual([]);
});

test("a decision can be undone for its time also when the clock is put right by a little meanwhile", async () => {
  const { clock, store } = await connected();
  decideProposal(store, id, "approved", nextFrameId, clock.now() + holdMs);
  clock.setBack(2_000);
  expect(store.outbox.heldDecisions()).toMatchObject([{ proposalId: id }]);
  expect(undoDecision(store, id, nextFrameId)).toMatchObject({ by: "withdrawn" });
});

test("P3: what is undone in time is pending again, and the cloud never hears of it", async () => {
  const { clock, cloud, store, device } = await connected();
  const before = store.proposals.find(id);
  decideProposal(store, id, "approved", nextFrameId, clock.now() + holdMs);
  expect(undoDecision(store, id, nextFrameId)).toEqual({ proposal: before, by: "withdrawn" });
  clock.advance(holdMs * 2);
  device.decide(makeProposal(2).id, "rejected");
  await until(clock, () => store.outbox.counts().waiting === 0);
  expect(cloud.resolved).toEqual(new Map([[makeProposal(2).id, "rejected"]]));
});

test("P3: what is on its way is not withdrawn, also when nobody has answered yet: the proposal is reopened behind it", () => {
  const store = temporaryStore();
  store.proposals.add([makeProposal(1)]);
  decideProposal(store, id, "approved", nextFrameId, 1);
  const frames = store.outbox.waiting(10).map((frame) => frame.id);
  expect(store.outbox.sending(frames)).toBe(true);
  expect(undoDecision(store, id, nextFrameId)).toMatchObject({
    by: "reopened",
    proposal: { status: "pending", round: 2 },
  });
  expect(store.outbox.waiting(10).map(({ text }) => JSON.parse(text))).toMatchObject([
    { type: "scout_proposal_resolved", round: 1 },
    { type: "scout_proposal_reopen", round: 1 },
  ]);
});

test("P3: a frame that was withdrawn after it was read for sending is not written", () => {
  const store = temporaryStore();
  store.proposals.add([makeProposal(1)]);
  decideProposal(store, id, "approved", nextFrameId, 1);
  const read = store.outbox.waiting(10).map((frame) => frame.id);
  undoDecision(store, id, nextFrameId);
  expect(store.outbox.sending(read)).toBe(false);
});

test("a proposal the cloud has closed while its decision was held is closed when that is undone", () => {
  const store = temporaryStore();
  store.proposals.add([makeProposal(1)]);
  decideProposal(store, id, "approved", nextFrameId, systemPorts.now() + holdMs);
  expect(store.proposals.close(id, { reason: "resolved_elsewhere", round: 1, outcome: "rejected" })).toBeUndefined();
  const closed = { status: "expired", closedReason: "resolved_elsewhere", decidedElsewhere: "rejected" };
  expect(undoDecision(store, id, nextFrameId)).toMatchObject({ proposal: closed, by: "withdrawn" });
});

test("undoing what is unknown or was never decided is refused with its code", () => {
  const store = temporaryStore();
  store.proposals.add([makeProposal(1)]);
  expect(() => undoDecision(store, makeProposal(9).id, nextFrameId)).toThrow(
    expect.objectContaining({ code: "proposal_unknown" }),
  );
  expect(() => undoDecision(store, id, nextFrameId)).toThrow(expect.objectContaining({ code: "proposal_undecided" }));
});
