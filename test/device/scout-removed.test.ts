import { describe, expect, test } from "vitest";
import { decideProposal, newFrameId, undoDecision } from "../../device/store/decide.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { scoutIsRemoved } from "../../device/store/scout-is-removed.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { approveInto } from "../../device/work/decide-into.ts";
import { scoutId } from "../../events/ids.ts";
import { makeProposal } from "./fake-cloud.ts";
import { deviceOn, startCloud, temporaryStore } from "./setting.ts";

const scout = makeProposal(1).scoutId;
const other = scoutId.parse("sct_01JD0000000000000000000001");
const ofOther = makeProposal(9, { id: `${other}.msg-9` as never, scoutId: other });
const idOf = (n: number) => makeProposal(n).id;
const nextFrameId = () => newFrameId(systemTimeAndIds.newId);
const times = { nowMs: 1_000, notBefore: 11_000 };
const closed = { status: "expired", closedReason: "scout_removed" };

function proposed(count = 4): DeviceStore {
  const store = temporaryStore();
  store.proposals.add([...Array.from({ length: count }, (_, n) => makeProposal(n + 1)), ofOther]);
  return store;
}
/** The cloud has taken what waited. */
const counted = (store: DeviceStore) => store.outbox.accepted(store.outbox.waiting(99).map(({ id }) => id));

describe("a scout that is removed", () => {
  test("nothing waits for ever: what is pending is closed for that reason, snoozed or not, and no other scout's is", () => {
    const store = proposed();
    store.proposals.snooze(idOf(1), Number.MAX_SAFE_INTEGER);
    expect(scoutIsRemoved(store, scout)).toHaveLength(4);
    expect(store.proposals.find(idOf(1))).toMatchObject(closed);
    expect(store.proposals.find(idOf(2))).toMatchObject(closed);
    expect(store.proposals.counts()).toMatchObject({ pending: 1, expired: 4 });
    expect(store.proposals.find(ofOther.id)?.status).toBe("pending");
    expect(store.proposals.closedWith(scout)).toBe(4);
  });

  test("said again it closes nothing anew, and what arrives late is closed as it arrives when it was known", () => {
    const store = proposed();
    scoutIsRemoved(store, scout);
    expect(scoutIsRemoved(store, scout)).toEqual([]);
    expect(store.proposals.add([makeProposal(1)])).toEqual([]);
    expect(store.proposals.counts()).toMatchObject({ pending: 1, expired: 4 });
  });

  test("nothing that was decided is lost: it stays decided, and what it became stays; the cloud is owed nothing of it", () => {
    const store = proposed();
    const { entity } = approveInto(store, idOf(1), "task", {}, times, nextFrameId);
    decideProposal(store, idOf(2), "rejected", nextFrameId);
    decideProposal(store, ofOther.id, "rejected", nextFrameId);
    scoutIsRemoved(store, scout);
    expect(store.proposals.find(idOf(1))?.status).toBe("approved");
    expect(store.proposals.find(idOf(2))?.status).toBe("rejected");
    expect(store.work.task.list()).toEqual([entity]);
    expect(store.outbox.waiting(9).map(({ subject }) => subject)).toEqual([ofOther.id]);
  });

  test.each(["before the cloud was told", "after it was told"])(
    "a decision taken back %s: what it made goes, the proposal is closed, and nobody says it is open again",
    (when) => {
      const store = proposed();
      approveInto(store, idOf(1), "task", {}, times, nextFrameId);
      if (when === "after it was told") counted(store);
      scoutIsRemoved(store, scout);
      expect(undoDecision(store, idOf(1), nextFrameId)).toMatchObject({ by: "removed", proposal: closed });
      expect(store.work.task.list()).toEqual([]);
      expect(store.outbox.counts()).toEqual({ waiting: 0, refused: 0 });
    },
  );

  test("a decision says why it comes too late", () => {
    const store = proposed();
    scoutIsRemoved(store, scout);
    expect(() => decideProposal(store, idOf(1), "approved", nextFrameId)).toThrow(/scout was removed/);
  });

  test("the cloud's word closes them on a connected device, which tells of each, and is heard again without effect", async () => {
    const cloud = await startCloud();
    cloud.proposals.push(makeProposal(1), makeProposal(2));
    const store = temporaryStore();
    const device = deviceOn(cloud, store);
    const told: string[] = [];
    device.events.on("closed", ({ id }) => told.push(id));
    device.connect();
    await device.settled();
    for (let times = 0; times < 2; times++) cloud.push({ type: "scout_removed", scoutId: scout });
    const pulls = cloud.framesOf("proposals_pull").length;
    device.pull();
    await cloud.until(() => cloud.framesOf("proposals_pull").length > pulls);
    await device.settled();
    expect(store.proposals.counts()).toMatchObject({ pending: 0, expired: 2 });
    expect(told.toSorted()).toEqual([idOf(1), idOf(2)]);
  });
});

test("a device that decides one of a removed scout hears of it: the decision stays, the others close, nothing counts as refused", async () => {
  const cloud = await startCloud();
  cloud.proposals.push(makeProposal(1), makeProposal(2));
  const store = temporaryStore();
  const device = deviceOn(cloud, store);
  device.connect();
  await device.settled();
  cloud.onFrame = (frame, connection) => {
    if (frame.type !== "scout_proposal_resolved") return "default";
    connection.send({ type: "error", code: "scout_not_found", message: "", inReplyTo: frame.id });
    return "handled";
  };
  device.decide(idOf(1), "approved");
  await device.settled();
  expect(store.proposals.find(idOf(1))?.status).toBe("approved");
  expect(store.proposals.find(idOf(2))).toMatchObject(closed);
  expect(store.outbox.counts()).toEqual({ waiting: 0, refused: 0 });
});

describe("a decision that the cloud has refused", () => {
  const refused = (store: DeviceStore, code: "proposal_not_found" | "invalid_frame") =>
    store.outbox.refused(
      store.outbox.waiting(99).map(({ id }) => id),
      code,
    );

  test("is counted by its code with the proposals it is about; receipts are none", () => {
    const store = proposed();
    decideProposal(store, idOf(1), "approved", nextFrameId);
    decideProposal(store, idOf(2), "rejected", nextFrameId);
    store.outbox.put({ type: "scout_proposal_ack", id: nextFrameId(), proposalId: idOf(3), round: 1 });
    refused(store, "proposal_not_found");
    expect(store.outbox.refusedDecisions()).toMatchObject([
      { code: "proposal_not_found", decisions: 2, proposals: [idOf(2), idOf(1)] },
    ]);
  });

  test.each([
    ["proposal_not_found", { status: "expired", closedReason: "gone" }],
    ["invalid_frame", { status: "pending", round: 1 }],
  ] as const)(
    "P3: %s: taken back it is not said to be open on every device, and is forgotten as refused",
    (code, is) => {
      const store = proposed();
      decideProposal(store, idOf(1), "approved", nextFrameId);
      refused(store, code);
      expect(undoDecision(store, idOf(1), nextFrameId)).toMatchObject({ by: "refused", proposal: is });
      expect(store.outbox.counts()).toEqual({ waiting: 0, refused: 0 });
    },
  );

  test("P3: a proposal that could not be opened again is closed, and does not wait for a decision nobody counts", async () => {
    const cloud = await startCloud();
    cloud.proposals.push(makeProposal(1));
    const store = temporaryStore();
    const device = deviceOn(cloud, store);
    device.connect();
    await device.settled();
    device.decide(idOf(1), "approved");
    await device.settled();
    cloud.onFrame = (frame, connection) => {
      if (frame.type !== "scout_proposal_reopen") return "default";
      connection.send({ type: "error", code: "proposal_not_found", message: "", inReplyTo: frame.id });
      return "handled";
    };
    expect(device.undo(idOf(1)).by).toBe("reopened");
    await device.settled();
    expect(store.proposals.find(idOf(1))).toMatchObject({ status: "expired", closedReason: "gone" });
  });

  test("is forgotten as refused when its scout turns out to be removed: that says why", () => {
    const store = proposed();
    decideProposal(store, idOf(1), "approved", nextFrameId);
    refused(store, "proposal_not_found");
    scoutIsRemoved(store, scout);
    expect(store.outbox.counts()).toEqual({ waiting: 0, refused: 0 });
    expect(store.proposals.find(idOf(1))?.status).toBe("approved");
  });
});
