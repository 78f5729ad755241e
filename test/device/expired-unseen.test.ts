import { expect, test } from "vitest";
import { closedLately, reopenable } from "../../device/proposals/shown/closed-lately.ts";
import { newFrameId, reopenProposal } from "../../device/store/decide.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { makeProposal } from "./fake-cloud.ts";
import { deviceOn, startCloud, temporaryStore } from "./setting.ts";

test("nothing silent: what expired while every device was away is there as closed, is counted, and can be opened again", async () => {
  const cloud = await startCloud();
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "proposals_pull" || frame.after !== undefined) return "default";
    const proposals = [1, 2].map((n) => makeProposal(n));
    for (const proposal of proposals) {
      connection.send({ type: "scout_proposal_closed", proposalId: proposal.id, round: 1, reason: "expired" });
      connection.send({ type: "scout_proposal", proposal });
    }
    connection.send({ type: "scout_proposal", proposal: makeProposal(3) });
    connection.send({ type: "proposals_page", inReplyTo: frame.id, count: 3 });
    return "handled";
  };
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  const told: string[] = [];
  device.events.on("proposal", ({ id }) => told.push(`new ${id}`));
  device.events.on("closed", ({ id, closedReason }) => told.push(`${closedReason} ${id}`));
  device.connect();
  await device.settled();

  const [one, two, three] = [1, 2, 3].map((n) => makeProposal(n).id);
  expect(told.toSorted()).toEqual([`expired ${one}`, `expired ${two}`, `new ${three}`]);
  expect(store.proposals.counts()).toMatchObject({ pending: 1, expired: 2 });
  expect(closedLately(store, Date.now())).toMatchObject({ proposals: 2 });
  // They are stored, and the cloud hears that they are.
  const acked = [...cloud.ackedBy].filter(([, devices]) => devices.has(store.identity.get().deviceId));
  expect(acked.map(([id]) => id).toSorted()).toEqual([one, two, three]);

  expect(reopenable(store, Date.now()).map(({ id }) => id)).toEqual(expect.arrayContaining([one, two]));
  const reopened = reopenProposal(store, makeProposal(1).id, () => newFrameId(systemTimeAndIds.newId));
  expect(reopened).toMatchObject({ status: "pending", round: 2, rawSubject: "Subject 1" });
  // The cloud says it in its next round, which the word of the first does not close.
  expect(store.proposals.add([makeProposal(1, { round: 2 })])).toEqual([]);
  expect(store.proposals.find(makeProposal(1).id)).toMatchObject({ status: "pending", round: 2 });
});
