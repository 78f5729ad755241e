import { describe, expect, test } from "vitest";
import { runCommand } from "../../../cli/program.ts";
import { newFrameId, undoDecision } from "../../../device/store/decide.ts";
import type { DeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { editEntity, removeEntity } from "../../../device/work/change-entities.ts";
import { approveInto } from "../../../device/work/decide-into.ts";
import { undoChange } from "../../../device/work/undo-change.ts";
import { makeProposal } from "../fake-cloud.ts";
import { Screen } from "../screen.ts";
import { temporaryFolder, temporaryStore } from "../setting.ts";

const { id } = makeProposal(1);
const nextFrameId = () => newFrameId(systemTimeAndIds.newId);
const times = { nowMs: 1_000, notBefore: 11_000 };
const code = (wanted: string) => expect.objectContaining({ code: wanted });

function proposed(dataFolder = temporaryFolder()): DeviceStore {
  const store = temporaryStore(dataFolder);
  store.proposals.add([makeProposal(1), makeProposal(2)]);
  return store;
}

test("P2: decision, entity, history and frame are there together, and each knows the other", () => {
  const store = proposed();
  const { proposal, entity } = approveInto(store, id, "task", { due: "2026-11-27" }, times, nextFrameId);
  expect(entity).toMatchObject({ title: "Subject 1", due: "2026-11-27", sourceSuggestionId: id });
  expect(proposal).toMatchObject({ status: "approved", resolvedEntityType: "task", resolvedEntityId: entity.id });
  expect(store.proposals.find(id)).toEqual(proposal);
  expect(store.work.task.list()).toEqual([entity]);
  expect(store.outbox.counts().waiting).toBe(1);
  expect(store.outbox.nextDue()).toBe(11_000);
  expect(() => approveInto(store, id, "note", {}, times, nextFrameId)).toThrow(code("proposal_decided"));
  expect(store.work.note.list()).toEqual([]);
});

test("what cannot be kept is not decided", () => {
  const store = proposed();
  const bad = { title: "Fair", start: "2026-11-27", end: "2026-11-26", isAllDay: true };
  expect(() => approveInto(store, id, "event", bad, times, nextFrameId)).toThrow(code("value_invalid"));
  expect(store.proposals.find(id)?.status).toBe("pending");
  expect([store.outbox.counts().waiting, store.work.event.list(), store.entityChanges.latest("event", 1)]).toEqual([
    0,
    [],
    [],
  ]);
});

describe("undo", () => {
  test("takes decision and entity back while the cloud has not been told, and they can be made anew", () => {
    const store = proposed();
    const before = store.proposals.find(id);
    const { entity } = approveInto(store, id, "task", {}, times, nextFrameId);
    expect(undoDecision(store, id, nextFrameId).proposal).toEqual(before);
    expect([store.work.task.list(), store.outbox.counts().waiting]).toEqual([[], 0]);
    // Beside a proposal that can be approved again it does not come back.
    expect(() => undoChange(store, "task", entity.id, 2)).toThrow(code("change_superseded"));
    const again = approveInto(store, id, "task", {}, times, nextFrameId);
    expect(store.work.task.list()).toEqual([again.entity]);
    expect(() => undoChange(store, "task", entity.id, 2)).toThrow(code("change_superseded"));
  });

  test("of a decision that is on its way opens the next round, without the entity", () => {
    const store = proposed();
    approveInto(store, id, "task", {}, times, nextFrameId);
    store.outbox.sending(store.outbox.waiting(9).map((frame) => frame.id));
    expect(undoDecision(store, id, nextFrameId)).toMatchObject({
      by: "reopened",
      proposal: { status: "pending", round: 2, resolvedEntityId: null },
    });
    expect(store.work.task.list()).toEqual([]);
  });

  test("is refused when the entity has changed since, and leaves both and the frame", () => {
    const store = proposed();
    const { entity } = approveInto(store, id, "task", {}, times, nextFrameId);
    editEntity(store, "task", entity.id, { note: "by letter" }, 2);
    expect(() => undoDecision(store, id, nextFrameId)).toThrow(code("change_superseded"));
    expect([store.proposals.find(id)?.status, store.outbox.counts().waiting]).toEqual(["approved", 1]);
    undoChange(store, "task", entity.id);
    expect(undoDecision(store, id, nextFrameId).proposal.status).toBe("pending");
    expect(store.work.task.list()).toEqual([]);
  });

  test("takes the decision back also when the person has taken the entity away", () => {
    const store = proposed();
    const { entity } = approveInto(store, id, "note", {}, times, nextFrameId);
    removeEntity(store, "note", entity.id);
    expect(undoDecision(store, id, nextFrameId).proposal).toMatchObject({ status: "pending", resolvedEntityId: null });
  });
});

describe("the command line", () => {
  const nowMs = Date.parse("2026-11-22T12:00:00Z");
  async function scouts(dataFolder: string, ...words: string[]) {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
    const { newId } = systemTimeAndIds;
    const zone = () => "Europe/Berlin";
    const context = { io, environment: {}, workingFolder: dataFolder, now: () => nowMs, newId, zone };
    const exit = await runCommand(["proposals", ...words, "--data", dataFolder], context, "1");
    return { exit, out: stdout.written, err: stderr.written };
  }

  test("approve makes what is asked for, show names it, undo takes both back", async () => {
    const data = temporaryFolder();
    const store = proposed(data);
    const made = await scouts(data, "approve", "msg-1", "--event", "--start", "friday at 5pm", "--place", "Hall");
    expect(made).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^approved {2}Subject 1 {2}2026-11-27 17:00-18:00 {2}event evt_\w+$/m),
    });
    const [event] = store.work.event.list();
    expect(event).toMatchObject({ start: "2026-11-27T17:00:00", zone: "Europe/Berlin", place: "Hall" });
    expect((await scouts(data, "show", "msg-1")).out).toContain(`became  event ${event?.id}`);
    expect(await scouts(data, "undo", "msg-1")).toEqual({ exit: 0, out: "pending  Subject 1\n", err: "" });
    expect(store.work.event.list()).toEqual([]);
  });

  test("several become one each, all or none", async () => {
    const data = temporaryFolder();
    const store = proposed(data);
    expect((await scouts(data, "approve", "msg-1", "msg-9", "--task")).exit).toBe(3);
    expect(store.proposals.counts()).toMatchObject({ pending: 2 });
    const made = JSON.parse(
      (await scouts(data, "approve", "msg-1", "msg-2", "--task", "--due", "tomorrow", "--json")).out,
    );
    expect(made).toMatchObject([
      { status: "approved", entity: { title: "Subject 1", due: "2026-11-23" } },
      { status: "approved", entity: { title: "Subject 2" } },
    ]);
  });

  test.each([
    ["two kinds", ["--task", "--note"], 2, /cannot be used with/],
    ["no kind", ["--due", "tomorrow"], 2, /--task, --event or --note/],
    ["an event without a start", ["--event"], 2, /needs a start/],
    ["a day that does not exist", ["--task", "--due", "2026-02-30"], 2, /not a day of the calendar/],
    ["a start for a task", ["--task", "--start", "tomorrow"], 2, /an event's/],
    ["a project nobody knows", ["--task", "--project", "x"], 3, /no project x/],
  ])("%s is refused with what to do, and decides nothing", async (_, words, exit, sentence) => {
    const data = temporaryFolder();
    const store = proposed(data);
    const said = await scouts(data, "approve", "msg-1", ...words);
    expect(said).toMatchObject({ exit, err: expect.stringMatching(sentence) });
    expect(store.proposals.counts()).toMatchObject({ pending: 2, approved: 0 });
  });
});
