import { once } from "node:events";
import { expect, test } from "vitest";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import type { ErrorCode } from "../../events/error-kinds.ts";
import type { ClientFrame } from "../../events/frames/frames.ts";
import { socketLimits } from "../../events/frames/limits.ts";
import { type FakeCloud, makeProposal } from "./fake-cloud.ts";
import { ManualClock } from "./manual-clock.ts";
import { deviceOn, startCloud, temporaryFolder, temporaryStore } from "./setting.ts";

const isAck = (frame: ClientFrame) => frame.type === "scout_proposal_ack" || frame.type === "scout_proposals_ack";
/** The proposals each ack frame named, in the order of the frames. */
const ackedIn = (cloud: FakeCloud) =>
  cloud.frames.flatMap((frame) => {
    if (frame.type === "scout_proposal_ack") return [[frame.proposalId]];
    return frame.type === "scout_proposals_ack" ? [frame.proposalIds] : [];
  });
const named = (...numbers: number[]) => numbers.map((n) => makeProposal(n).id);
/** A cloud from before acks could share a frame. */
async function startOlderCloud() {
  const cloud = await startCloud();
  const { acksPerFrame: _, ...limits } = cloud.limits;
  cloud.limits = limits;
  return cloud;
}

test("P2: acks and decisions that were never accepted are sent again after a restart, single ones under the same ids", async () => {
  const cloud = await startOlderCloud();
  const { id } = makeProposal(1);
  cloud.proposals.push(makeProposal(1), makeProposal(2));
  cloud.onFrame = (frame) => (isAck(frame) ? "handled" : "default");
  const dataFolder = temporaryFolder();
  const before = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  const first = deviceOn(cloud, before);
  first.connect();
  await cloud.until(() => cloud.framesOf("scout_proposal_ack").length === 2);
  first.decide(id, "approved");
  const sent = cloud.framesOf("scout_proposal_ack").map((frame) => frame.id);
  await first.close();
  before.close();

  cloud.onFrame = () => "default";
  const store = temporaryStore(dataFolder);
  const second = deviceOn(cloud, store);
  second.connect();
  await second.settled();

  const ids = cloud.framesOf("scout_proposal_ack").map((frame) => frame.id);
  expect(ids).toEqual([...sent, ...sent]);
  expect(cloud.resolved.get(id)).toBe("approved");
  expect(store.outbox.counts()).toEqual({ waiting: 0, refused: 0 });
});

test("P2: the acks of a page share a frame, and so do those that an older version has left in the outbox", async () => {
  const cloud = await startOlderCloud();
  cloud.proposals.push(makeProposal(1), makeProposal(2));
  cloud.onFrame = (frame) => (isAck(frame) ? "handled" : "default");
  const dataFolder = temporaryFolder();
  const before = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  const first = deviceOn(cloud, before);
  first.connect();
  await cloud.until(() => ackedIn(cloud).length === 2);
  await first.close();
  before.close();

  cloud.limits = { ...socketLimits };
  cloud.onFrame = () => "default";
  cloud.proposals.push(...Array.from({ length: 60 }, (_, n) => makeProposal(n + 3)));
  const store = temporaryStore(dataFolder);
  const second = deviceOn(cloud, store);
  second.connect();
  await second.settled();

  const frames = ackedIn(cloud).slice(2);
  expect(frames.length).toBeLessThanOrEqual(3);
  expect(frames.flat()).toEqual(cloud.proposals.map(({ id }) => id));
  expect(cloud.ackedBy.size).toBe(62);
  expect(store.outbox.counts()).toEqual({ waiting: 0, refused: 0 });
});

test("P2: proposals pushed one after the other are stored at once, and their acks wait a quarter of a second for each other", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  const store = temporaryStore();
  const device = deviceOn(cloud, store, { clock });
  device.connect();
  await device.settled();

  for (const n of [1, 2, 3]) {
    const stored = once(device.events, "proposal");
    cloud.push({ type: "scout_proposal", proposal: makeProposal(n) });
    await stored;
    clock.advance(80);
  }
  expect(store.outbox.counts().waiting).toBe(3);
  expect(ackedIn(cloud)).toEqual([]);
  clock.advance(20);
  await device.settled();
  expect(ackedIn(cloud)).toEqual([named(1, 2, 3)]);
});

test("a decision does not wait for acks to gather, nor does it overtake the one of its proposal", async () => {
  const cloud = await startCloud();
  const device = deviceOn(cloud, temporaryStore(), { clock: new ManualClock() });
  device.connect();
  await device.settled();
  for (const n of [1, 2]) {
    const stored = once(device.events, "proposal");
    cloud.push({ type: "scout_proposal", proposal: makeProposal(n) });
    await stored;
  }

  device.decide(makeProposal(2).id, "approved");
  await device.settled();

  const said = cloud.frames.map(({ type }) => type).filter((type) => type.startsWith("scout_"));
  expect(said).toEqual(["scout_proposals_ack", "scout_proposal_resolved"]);
  expect(ackedIn(cloud)).toEqual([named(1, 2)]);
});

test("P2: acks that share a frame and are refused for now are sent again; for good, each is set aside and told", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  cloud.proposals.push(makeProposal(1), makeProposal(2));
  const refusals: ErrorCode[] = ["storage_throttled", "proposal_not_found"];
  cloud.onFrame = (frame, connection) => {
    const code = isAck(frame) ? refusals.shift() : undefined;
    if (code === undefined) return "default";
    connection.send({ type: "error", code, message: "", inReplyTo: frame.id });
    return "handled";
  };
  const store = temporaryStore();
  const device = deviceOn(cloud, store, { clock });
  const problem = once(device.events, "problem");
  const refused: string[] = [];
  device.events.on("refused", ({ frameId }) => refused.push(frameId));
  device.connect();
  expect(await problem).toMatchObject([{ code: "storage_throttled" }]);
  expect(store.outbox.counts()).toEqual({ waiting: 2, refused: 0 });

  clock.advance(2_000);
  clock.advance(250);
  await device.settled();
  expect(ackedIn(cloud)).toEqual([named(1, 2), named(1, 2)]);
  expect(store.outbox.counts()).toEqual({ waiting: 0, refused: 2 });
  expect(new Set(refused).size).toBe(2);
});

test("P2: a proposal that is pushed again is not told again, and acked again", async () => {
  const cloud = await startCloud();
  const proposal = makeProposal(1);
  cloud.proposals.push(proposal);
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  let told = 0;
  device.events.on("proposal", () => told++);
  device.connect();
  await device.settled();

  cloud.push({ type: "scout_proposal", proposal: { ...proposal, rawSubject: "another text" } });
  await cloud.until(() => cloud.framesOf("scout_proposal_ack").length === 2);

  expect(told).toBe(1);
  expect(store.proposals.list()).toMatchObject([{ rawSubject: "Subject 1" }]);
  expect(new Set(cloud.framesOf("scout_proposal_ack").map((frame) => frame.id)).size).toBe(2);
});

test("back-pressure: 50 frames are in flight and no more, oldest first; what is accepted lets the next ones go", async () => {
  const cloud = await startOlderCloud();
  cloud.proposals.push(...Array.from({ length: 130 }, (_, n) => makeProposal(n)));
  const unanswered: (() => void)[] = [];
  cloud.onFrame = (frame, connection) => {
    if (!isAck(frame)) return "default";
    unanswered.push(() => connection.send({ type: "accepted", inReplyTo: frame.id }));
    return "handled";
  };
  const device = deviceOn(cloud, temporaryStore());
  device.connect();
  await once(device.events, "caughtUp");

  for (const inFlight of [50, 50, 30]) {
    await cloud.until(() => unanswered.length === inFlight);
    // Frames keep their order: whatever else the device had sent would be here before this pull.
    const pulls = cloud.framesOf("proposals_pull").length;
    device.pull();
    await cloud.until(() => cloud.framesOf("proposals_pull").length > pulls);
    expect(unanswered).toHaveLength(inFlight);
    for (const accept of unanswered.splice(0)) accept();
  }
  await device.settled();
  expect(cloud.framesOf("scout_proposal_ack").map(({ proposalId }) => proposalId)).toEqual(
    cloud.proposals.map(({ id }) => id),
  );
});

test("frames about one proposal go one after the other: the decision waits for the ack", async () => {
  const cloud = await startCloud();
  const proposal = makeProposal(1);
  cloud.proposals.push(proposal);
  let held: (() => void) | undefined;
  cloud.onFrame = (frame, connection) => {
    if (!isAck(frame)) return "default";
    held = () => connection.send({ type: "accepted", inReplyTo: frame.id });
    return "handled";
  };
  const device = deviceOn(cloud, temporaryStore());
  device.connect();
  await cloud.until(() => held !== undefined);

  device.decide(proposal.id, "rejected");
  device.pull();
  await cloud.until(() => cloud.framesOf("proposals_pull").length === 2);
  expect(cloud.framesOf("scout_proposal_resolved")).toHaveLength(0);

  held?.();
  await cloud.until(() => cloud.resolved.get(proposal.id) === "rejected");
});

test("an error that is final sets the frame aside, tells it, and is not sent again", async () => {
  const cloud = await startCloud();
  cloud.proposals.push(makeProposal(1));
  cloud.onFrame = (frame, connection) => {
    if (!isAck(frame)) return "default";
    connection.send({ type: "error", code: "proposal_not_found", message: "", inReplyTo: frame.id });
    return "handled";
  };
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  const refused = once(device.events, "refused");
  device.connect();
  await device.settled();

  expect(await refused).toMatchObject([{ code: "proposal_not_found" }]);
  expect(store.outbox.counts()).toEqual({ waiting: 0, refused: 1 });
  expect(cloud.framesOf("scout_proposal_ack")).toHaveLength(1);
});

test("an error that may pass, and an answer that does not come, send the frame again under its id", async () => {
  const cloud = await startCloud();
  const clock = new ManualClock();
  cloud.proposals.push(makeProposal(1));
  cloud.onFrame = (frame, connection) => {
    const tries = cloud.framesOf("scout_proposal_ack").length;
    if (!isAck(frame) || tries > 2) return "default";
    if (tries === 1) connection.send({ type: "error", code: "storage_throttled", message: "", inReplyTo: frame.id });
    return "handled";
  };
  const device = deviceOn(cloud, temporaryStore(), { clock });
  const problem = once(device.events, "problem");
  device.connect();
  expect(await problem).toMatchObject([{ code: "storage_throttled" }]);
  // The longest pause after a failure, then the quarter of a second in which an ack waits for others.
  clock.advance(2_000);
  clock.advance(250);
  await cloud.until(() => cloud.framesOf("scout_proposal_ack").length === 2);
  clock.advance(34_000);
  clock.advance(250);
  await device.settled();

  expect(new Set(cloud.framesOf("scout_proposal_ack").map(({ id }) => id)).size).toBe(1);
  expect(cloud.framesOf("scout_proposal_ack")).toHaveLength(3);
});

test("a decision that another process wrote is sent by the device that is connected", async () => {
  const cloud = await startCloud();
  const proposal = makeProposal(1);
  cloud.proposals.push(proposal);
  const dataFolder = temporaryFolder();
  const device = deviceOn(cloud, temporaryStore(dataFolder));
  device.connect();
  await device.settled();

  const other = deviceOn(cloud, temporaryStore(dataFolder));
  other.decide(proposal.id, "approved");

  await cloud.until(() => cloud.resolved.get(proposal.id) === "approved");
});
