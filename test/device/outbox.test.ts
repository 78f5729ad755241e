import { once } from "node:events";
import { expect, test } from "vitest";
import { openDeviceStore } from "../../device/store/open.ts";
import type { ClientFrame } from "../../events/frames.ts";
import { makeProposal } from "./fake-cloud.ts";
import { ManualClock } from "./manual-clock.ts";
import { deviceOn, startCloud, temporaryFolder, temporaryStore } from "./setting.ts";

const isAck = (frame: ClientFrame) => frame.type === "scout_proposal_ack";

test("P2: acks and decisions that were never accepted are sent again after a restart, under the same ids", async () => {
  const cloud = await startCloud();
  const { id } = makeProposal(1);
  cloud.proposals.push(makeProposal(1), makeProposal(2));
  cloud.onFrame = (frame) => (isAck(frame) ? "handled" : "default");
  const dataFolder = temporaryFolder();
  const before = openDeviceStore({ dataFolder });
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
  const cloud = await startCloud();
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
    if (tries === 1) connection.send({ type: "error", code: "rate_limited", message: "", inReplyTo: frame.id });
    return "handled";
  };
  const device = deviceOn(cloud, temporaryStore(), { clock });
  const problem = once(device.events, "problem");
  device.connect();
  expect(await problem).toMatchObject([{ code: "rate_limited" }]);
  clock.advance(2_000);
  await cloud.until(() => cloud.framesOf("scout_proposal_ack").length === 2);
  clock.advance(34_000);
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
