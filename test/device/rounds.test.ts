import { describe, expect, test } from "vitest";
import { outputOn } from "../../cli/output/output.ts";
import { showProposals } from "../../cli/proposals/shown-proposals.ts";
import { closedLately, reopenable } from "../../device/proposals/shown/closed-lately.ts";
import { decideProposal, newFrameId, reopenProposal, undoDecision } from "../../device/store/decide.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { isInConflict } from "../../device/store/tables/proposals/decisions.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { editEntity } from "../../device/work/change-entities.ts";
import { approveInto } from "../../device/work/decide-into.ts";
import { makeProposal } from "./fake-cloud.ts";
import { Screen } from "./screen.ts";
import { temporaryStore } from "./setting.ts";

const { id } = makeProposal(1);
const inRound = (round: number) => makeProposal(1, { round });
const nextFrameId = () => newFrameId(systemTimeAndIds.newId);
const times = { nowMs: 1_000, notBefore: 11_000 };
const code = (wanted: string) => expect.objectContaining({ code: wanted });

function proposed(): DeviceStore {
  const store = temporaryStore();
  store.proposals.add([inRound(1)]);
  return store;
}
/** A decision the cloud has counted. */
function decided(store: DeviceStore, outcome: "approved" | "rejected" = "approved") {
  decideProposal(store, id, outcome, nextFrameId);
  store.outbox.accepted(store.outbox.waiting(9).map((frame) => frame.id));
}
const frames = (store: DeviceStore) => store.outbox.waiting(9).map(({ text }) => JSON.parse(text));

describe("P2: frames of another round", () => {
  test("a later round opens what is closed, decided or buried here, once; an earlier one changes nothing", () => {
    const store = proposed();
    decided(store);
    expect(store.proposals.add([inRound(2), inRound(1), inRound(2)])).toMatchObject([{ status: "pending", round: 2 }]);
    expect(store.proposals.add([inRound(2), inRound(1)])).toEqual([]);
    store.proposals.close(id, { reason: "resolved_elsewhere", round: 2, outcome: "rejected" });
    expect(store.proposals.add([inRound(2)])).toEqual([]);
    expect(store.proposals.add([inRound(3)])).toMatchObject([{ status: "pending", round: 3, decidedElsewhere: null }]);
    const far = makeProposal(2);
    store.proposals.close(far.id, { reason: "resolved_elsewhere", round: 1 });
    expect(store.proposals.add([{ ...far, round: 2 }])).toMatchObject([{ status: "pending", round: 2 }]);
  });

  test("a closing of an earlier round closes nothing, one of a later round ends that before it has arrived", () => {
    const store = proposed();
    store.proposals.add([inRound(2)]);
    expect(store.proposals.close(id, { reason: "resolved_elsewhere", round: 1 })).toBeUndefined();
    expect(store.proposals.find(id)?.status).toBe("pending");
    store.proposals.close(id, { reason: "resolved_elsewhere", round: 3, outcome: "approved" });
    expect(store.proposals.add([inRound(3)])).toEqual([]);
    const closed = { status: "expired", closedReason: "resolved_elsewhere", round: 3, decidedElsewhere: "approved" };
    expect(store.proposals.find(id)).toMatchObject(closed);
  });

  test("of closings that come before their proposal the latest round counts, whatever their order", () => {
    const store = temporaryStore();
    for (const round of [1, 3, 2]) store.proposals.close(id, { reason: "resolved_elsewhere", round });
    store.proposals.add([inRound(3)]);
    expect(store.proposals.find(id)).toMatchObject({ status: "expired", round: 3 });
    expect(store.proposals.add([inRound(4)])).toHaveLength(1);
  });

  test("a closing without a round is of the first, and of whatever round when the cloud has forgotten the proposal", () => {
    const store = proposed();
    store.proposals.add([inRound(2)]);
    expect(store.proposals.close(id, { reason: "resolved_elsewhere" })).toBeUndefined();
    expect(store.proposals.close(id, { reason: "gone" })).toMatchObject({ status: "expired", round: 2 });
  });
});

describe("P3: closed because nobody decided it in time", () => {
  const dayMs = 86_400_000;

  test("it is opened again here and at the cloud; what is gone at its source is not", () => {
    const store = proposed();
    store.proposals.close(id, { reason: "expired", round: 1 });
    expect(reopenProposal(store, id, nextFrameId)).toMatchObject({ status: "pending", closedReason: null, round: 2 });
    expect(frames(store)).toMatchObject([{ type: "scout_proposal_reopen", round: 1 }]);
    store.proposals.close(id, { reason: "gone", round: 2 });
    expect(() => reopenProposal(store, id, nextFrameId)).toThrow(code("proposal_undecided"));
  });

  test("it is counted for thirty days, since the first; what was decided or is gone is not", () => {
    const store = temporaryStore();
    store.proposals.add([1, 2, 3, 4].map((n) => makeProposal(n)));
    const before = Date.now();
    store.proposals.close(makeProposal(1).id, { reason: "expired" });
    store.proposals.close(makeProposal(2).id, { reason: "expired" });
    store.proposals.close(makeProposal(3).id, { reason: "gone" });
    decideProposal(store, makeProposal(4).id, "rejected", nextFrameId);
    const closed = closedLately(store, Date.now());
    expect(closed).toMatchObject({ proposals: 2 });
    expect(closed.since).toBeGreaterThanOrEqual(before);
    expect(
      reopenable(store, Date.now())
        .map((row) => row.id)
        .sort(),
    ).toEqual([makeProposal(1).id, makeProposal(2).id]);
    expect(closedLately(store, Date.now() + 31 * dayMs)).toEqual({ proposals: 0, since: null });
  });

  test("who decides it is told why it is closed, and how it is opened", () => {
    const store = proposed();
    store.proposals.close(id, { reason: "expired" });
    expect(() => decideProposal(store, id, "approved", nextFrameId)).toThrow(`scouts proposals reopen ${id}`);
  });
});

describe("P2: reopened here", () => {
  test("it is pending in the next round at once, the cloud hears of it, and the next decision is of that round", () => {
    const store = proposed();
    decided(store, "rejected");
    expect(reopenProposal(store, id, nextFrameId)).toMatchObject({ status: "pending", round: 2, resolvedAt: null });
    decideProposal(store, id, "approved", nextFrameId);
    expect(frames(store)).toMatchObject([
      { type: "scout_proposal_reopen", round: 1 },
      { type: "scout_proposal_resolved", round: 2, outcome: "approved" },
    ]);
    // The cloud's own word of that round comes after the decision, and changes nothing.
    expect(store.proposals.add([inRound(2)])).toEqual([]);
    expect(store.proposals.find(id)?.status).toBe("approved");
  });

  test("what it has become stays and is taken up: it is there once, and undoing the second approval leaves it as it was", () => {
    const store = proposed();
    const { entity } = approveInto(store, id, "task", {}, times, nextFrameId);
    store.outbox.sending(store.outbox.waiting(9).map((frame) => frame.id));
    reopenProposal(store, id, nextFrameId);
    expect(store.work.task.list()).toEqual([entity]);
    approveInto(store, id, "task", { note: "by letter" }, times, nextFrameId);
    expect(store.work.task.list()).toMatchObject([{ id: entity.id, note: "by letter" }]);
    expect(undoDecision(store, id, nextFrameId)).toMatchObject({
      by: "withdrawn",
      proposal: { resolvedEntityId: entity.id },
    });
    expect(store.work.task.list()).toMatchObject([{ id: entity.id, note: "" }]);
    approveInto(store, id, "note", {}, times, nextFrameId);
    expect([store.work.task.list().length, store.work.note.list().length]).toEqual([0, 1]);
  });

  test("an entity that was changed since is kept, and the undo refused; nothing else is", () => {
    const store = proposed();
    const { entity } = approveInto(store, id, "task", {}, times, nextFrameId);
    store.outbox.sending(store.outbox.waiting(9).map((frame) => frame.id));
    editEntity(store, "task", entity.id, { note: "by letter" }, 2);
    expect(() => undoDecision(store, id, nextFrameId)).toThrow(code("change_superseded"));
    expect(store.proposals.find(id)).toMatchObject({ status: "approved", round: 1 });
    expect(reopenProposal(store, id, nextFrameId)).toMatchObject({ round: 2, resolvedEntityId: entity.id });
  });

  test("what is open or gone is not reopened, and says so", () => {
    const store = proposed();
    expect(() => reopenProposal(store, id, nextFrameId)).toThrow(code("proposal_undecided"));
    store.proposals.close(id, { reason: "gone", round: 1 });
    expect(() => reopenProposal(store, id, nextFrameId)).toThrow(code("proposal_undecided"));
    expect(store.outbox.counts().waiting).toBe(0);
  });

  test("what another device decided is opened from here as well", () => {
    const store = proposed();
    store.proposals.close(id, { reason: "resolved_elsewhere", round: 1, outcome: "rejected" });
    expect(reopenProposal(store, id, nextFrameId)).toMatchObject({
      status: "pending",
      round: 2,
      decidedElsewhere: null,
    });
  });

  test("an approval that waits is withdrawn, with what it made", () => {
    const store = proposed();
    approveInto(store, id, "task", {}, times, nextFrameId);
    expect(reopenProposal(store, id, nextFrameId)).toMatchObject({ status: "pending", round: 1 });
    expect([store.work.task.list(), frames(store)]).toEqual([[], []]);
  });
});

describe("P2: two devices decided otherwise; never two silent truths", () => {
  const heard = { id, decided: 1, round: 1, outcome: "rejected" } as const;

  test("the later one keeps its entity, marked; undo lets the other decision stand, without the entity", () => {
    const store = proposed();
    const { entity } = approveInto(store, id, "task", {}, times, nextFrameId);
    store.outbox.accepted(store.outbox.waiting(9).map((frame) => frame.id));
    const conflict = store.proposals.differs(heard);
    expect(conflict && isInConflict(conflict)).toBe(true);
    expect(store.work.task.list()).toEqual([entity]);
    const undone = undoDecision(store, id, nextFrameId);
    expect(undone).toMatchObject({
      by: "yielded",
      proposal: { status: "expired", closedReason: "resolved_elsewhere" },
    });
    expect(undone.proposal).toMatchObject({ decidedElsewhere: "rejected", resolvedEntityId: null });
    expect([store.work.task.list(), isInConflict(undone.proposal)]).toEqual([[], false]);
  });

  test("a list says what its mark means, where it has one", () => {
    const store = proposed();
    const listed = () => {
      const screen = new Screen();
      const signal = new AbortController().signal;
      const output = outputOn({ stdout: screen, stderr: screen, isTTY: false, color: false, signal });
      showProposals(output, store.proposals.list(), { nowMs: 0, zone: "UTC" });
      return screen.written;
    };
    approveInto(store, id, "task", {}, times, nextFrameId);
    expect(listed()).not.toContain("!");
    store.proposals.differs(heard);
    expect(listed()).toMatch(/approved !.*\n! in STATUS: another device had decided this before/s);
  });

  test("reopened it is a conflict no more, and the entity waits for the next decision", () => {
    const store = proposed();
    const { entity } = approveInto(store, id, "task", {}, times, nextFrameId);
    store.outbox.accepted(store.outbox.waiting(9).map((frame) => frame.id));
    store.proposals.differs(heard);
    const open = reopenProposal(store, id, nextFrameId);
    expect([open.round, open.resolvedEntityId, isInConflict(open)]).toEqual([2, entity.id, false]);
  });

  test("the same decision twice is none, unless something has become of it here", () => {
    const store = proposed();
    decided(store);
    expect(store.proposals.differs({ ...heard, outcome: "approved" })).toBeUndefined();
    const other = proposed();
    approveInto(other, id, "task", {}, times, nextFrameId);
    expect(other.proposals.differs({ ...heard, outcome: "approved" })).toMatchObject({ decidedElsewhere: "approved" });
  });

  test("a later round that was decided otherwise while this device was away is a conflict too", () => {
    const store = proposed();
    decided(store, "rejected");
    const closed = store.proposals.close(id, { reason: "resolved_elsewhere", round: 2, outcome: "approved" });
    expect(closed).toMatchObject({ status: "rejected", round: 2, decidedElsewhere: "approved" });
    expect(reopenProposal(store, id, nextFrameId).round).toBe(3);
    expect(frames(store)).toMatchObject([{ type: "scout_proposal_reopen", round: 2 }]);
  });

  test("an answer about a round that is past here changes nothing", () => {
    const store = proposed();
    decided(store);
    store.proposals.add([inRound(2)]);
    decided(store);
    expect(store.proposals.differs(heard)).toBeUndefined();
    expect(store.proposals.find(id)).toMatchObject({ status: "approved", round: 2, decidedElsewhere: null });
  });
});
