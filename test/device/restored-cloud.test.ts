import { expect, test } from "vitest";
import { makeProposal } from "./fake-cloud.ts";
import { deviceOn, startCloud, temporaryStore } from "./setting.ts";

const dayMs = 86_400_000;

/** A proposal that was found so long ago, and is pending on a device that asks a cloud which knows nothing of it any more. */
async function unknownAfter(days: number) {
  const cloud = await startCloud();
  const proposal = makeProposal(1, { triagedAt: Date.now() - days * dayMs });
  cloud.proposals.push(proposal);
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();
  await device.close({ keepSession: true });

  cloud.proposals.splice(0);
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "proposals_check") return "default";
    for (const proposalId of frame.proposalIds) {
      connection.send({ type: "scout_proposal_closed", proposalId, reason: "gone" });
    }
    return "default";
  };
  // Away for longer than closings may have been missed in.
  store.identity.update({ seenAt: Date.now() - dayMs });
  device.connect();
  await device.settled();
  expect(cloud.framesOf("proposals_check").flatMap(({ proposalIds }) => proposalIds)).toContain(proposal.id);
  return store.proposals.find(proposal.id);
}

test("P2: what was found since the copy from which a cloud was restored stays pending: it is judged again there, and may be decided here", async () => {
  expect(await unknownAfter(1)).toMatchObject({ status: "pending", closedReason: null });
});

test("what the cloud has forgotten, ninety days after it was judged, is closed as gone", async () => {
  expect(await unknownAfter(91)).toMatchObject({ status: "expired", closedReason: "gone" });
});
