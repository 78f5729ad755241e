import { describe, expect, test } from "vitest";
import { runCommand } from "../../cli/program.ts";
import { snoozeProposal } from "../../device/proposals/snooze.ts";
import { newFrameId, reopenProposal, undoDecision } from "../../device/store/decide.ts";
import { type DeviceStore, openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { addEntity, editEntity, removeEntity } from "../../device/work/change-entities.ts";
import { approveInto, convertIntoProject, convertProposal, mergeIntoTask } from "../../device/work/decide-into.ts";
import { undoChange } from "../../device/work/undo-change.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";
import { makeProposal } from "./fake-cloud.ts";
import { Screen } from "./screen.ts";
import { temporaryFolder } from "./setting.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const nowMs = Date.parse("2026-11-22T12:00:00Z");
const here = { nowMs, zone: "Europe/Berlin" };
const nextFrameId = () => newFrameId(systemTimeAndIds.newId);
const times = { nowMs, notBefore: nowMs + 10_000 };
/** The cloud may be told now. */
const atOnce = { nowMs, notBefore: nowMs };
const code = (wanted: string) => expect.objectContaining({ code: wanted });

/** A device whose clock is turned by hand. */
function deviceAt(dataFolder = temporaryFolder()) {
  const clock = { nowMs };
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder, now: () => clock.nowMs });
  return { clock, store, dataFolder };
}

function letter(n: number, address: string, threadRef?: string): Proposal {
  const sender = { name: `Sender ${n}`, address };
  const thread = threadRef === undefined ? {} : { threadRef };
  const metadata = {
    sender,
    relation: "to" as const,
    automatic: false,
    sourceLink: `https://mail.test/${n}`,
    ...thread,
  };
  return makeProposal(n, { triagedAt: nowMs + n, metadata });
}

const refs = (rows: readonly { readonly sourceMsgRef: string }[]) => rows.map(({ sourceMsgRef }) => sourceMsgRef);
const shown = (store: DeviceStore, atMs: number) =>
  refs(store.proposals.list({ statuses: ["pending"], snoozed: { atMs, isWanted: false } }));

describe("snoozed", () => {
  const { id } = makeProposal(1);

  test("P2: it is hidden until its time and comes back, also after a restart, and is counted meanwhile", () => {
    const { clock, store, dataFolder } = deviceAt();
    store.proposals.add([letter(1, "a@x.test"), letter(2, "b@x.test")]);
    snoozeProposal(store, id, nowMs + hourMs, here);
    expect(shown(store, nowMs)).toEqual(["msg-2"]);
    expect(store.proposals.snoozed()).toEqual({ proposals: 1, nextMs: nowMs + hourMs });
    store.close();
    const again = deviceAt(dataFolder);
    expect(shown(again.store, nowMs + hourMs - 1)).toEqual(["msg-2"]);
    expect(shown(again.store, nowMs + hourMs)).toEqual(["msg-2", "msg-1"]);
    again.clock.nowMs = clock.nowMs + hourMs;
    expect(again.store.proposals.snoozed()).toEqual({ proposals: 0, nextMs: null });
    again.store.close();
  });

  test("P2: a clock that steps back for long shows it rather than hide it for years; a small step changes nothing", () => {
    const { store } = deviceAt();
    store.proposals.add([letter(1, "a@x.test")]);
    snoozeProposal(store, id, nowMs + hourMs, here);
    expect(shown(store, nowMs - 60_000)).toEqual([]);
    expect(shown(store, nowMs - 2 * dayMs)).toEqual(["msg-1"]);
    store.close();
  });

  test("it can be decided all the same, and is shown with what was decided; a new round shows it again", () => {
    const { store } = deviceAt();
    store.proposals.add([letter(1, "a@x.test")]);
    snoozeProposal(store, id, nowMs + hourMs, here);
    store.proposals.decide(id, "approved");
    expect(refs(store.proposals.list({ snoozed: { atMs: nowMs, isWanted: false } }))).toEqual(["msg-1"]);
    store.proposals.add([{ ...letter(1, "a@x.test"), round: 2 }]);
    expect(shown(store, nowMs)).toEqual(["msg-1"]);
    store.close();
  });

  test("not past its time, nor past the day the cloud closes it, nor when it is decided; then nothing changes", () => {
    const { store } = deviceAt();
    store.proposals.add([letter(1, "a@x.test")]);
    expect(() => snoozeProposal(store, id, nowMs, here)).toThrow(code("value_invalid"));
    expect(() => snoozeProposal(store, id, nowMs + 31 * dayMs, here)).toThrow(/2026-12-22/);
    // Noon in UTC is the next day there.
    const onKiritimati = { nowMs, zone: "Pacific/Kiritimati" };
    expect(() => snoozeProposal(store, id, nowMs + 31 * dayMs, onKiritimati)).toThrow(/2026-12-23/);
    expect(shown(store, nowMs)).toEqual(["msg-1"]);
    snoozeProposal(store, id, nowMs + dayMs, here);
    expect(snoozeProposal(store, id, null, here)).toMatchObject({ snoozedUntil: null, snoozedAt: null });
    store.proposals.decide(id, "rejected");
    expect(() => snoozeProposal(store, id, nowMs + dayMs, here)).toThrow(code("proposal_decided"));
    store.close();
  });
});

/** The cloud has heard of everything. */
const told = (store: DeviceStore) => {
  const ids = store.outbox.waiting(9).map((frame) => frame.id);
  store.outbox.sending(ids);
  store.outbox.accepted(ids);
};

describe("converted and merged", () => {
  const { id } = makeProposal(1);
  const proposed = () => {
    const { store } = deviceAt();
    store.proposals.add([letter(1, "a@x.test")]);
    return store;
  };

  test("P2: what it was gives way, the cloud hears of one approval, and undo takes the last away", () => {
    const store = proposed();
    convertProposal(store, id, "task", {}, times, nextFrameId);
    convertProposal(store, id, "note", { markdown: "Blue" }, times, nextFrameId);
    expect([store.work.task.list().length, store.work.note.list().length]).toEqual([0, 1]);
    expect(store.outbox.counts().waiting).toBe(1);
    expect(undoDecision(store, id, nextFrameId)).toMatchObject({ by: "withdrawn", proposal: { status: "pending" } });
    expect(store.work.note.list()).toEqual([]);
    convertProposal(store, id, "note", {}, times, nextFrameId);
    convertProposal(store, id, null, {}, times, nextFrameId);
    expect([store.work.note.list(), store.proposals.find(id)?.resolvedEntityId]).toEqual([[], null]);
    store.close();
  });

  test("what was changed since does not give way, and what was rejected is not converted", () => {
    const store = proposed();
    const { entity } = convertProposal(store, id, "task", {}, times, nextFrameId);
    editEntity(store, "task", entity?.id ?? "", { note: "by letter" }, nowMs);
    expect(() => convertProposal(store, id, "note", {}, times, nextFrameId)).toThrow(code("change_superseded"));
    expect([store.work.task.list().length, store.work.note.list().length]).toEqual([1, 0]);
    const other = proposed();
    other.proposals.decide(id, "rejected");
    expect(() => convertProposal(other, id, "task", {}, times, nextFrameId)).toThrow(code("proposal_decided"));
    for (const each of [store, other]) each.close();
  });

  test("P2: merged, the task says what it is about once, and undo leaves the task as it was", () => {
    const store = proposed();
    const task = addEntity(store, "task", { title: "Garden", note: "Tools" }, nowMs);
    const { entity } = mergeIntoTask(store, id, task.id, times, nextFrameId);
    expect(entity.note).toBe("Tools\n\nSubject 1\nSender 1, a@x.test\nhttps://mail.test/1");
    expect(store.proposals.find(id)).toMatchObject({ resolvedEntityType: "task", resolvedEntityId: task.id });
    undoDecision(store, id, nextFrameId);
    expect(store.work.task.list()).toMatchObject([{ id: task.id, note: "Tools" }]);
    expect(store.proposals.find(id)).toMatchObject({ status: "pending", resolvedEntityId: null });
    // A task of the person's own does not give way to another kind either.
    mergeIntoTask(store, id, task.id, times, nextFrameId);
    convertProposal(store, id, "note", {}, times, nextFrameId);
    expect(store.work.task.list()).toMatchObject([{ id: task.id, note: "Tools" }]);
    store.close();
  });

  test("P2: what was merged gives way to a task of its own as well", () => {
    const store = proposed();
    const task = addEntity(store, "task", { title: "Garden", note: "Tools" }, nowMs);
    mergeIntoTask(store, id, task.id, times, nextFrameId);
    const { entity } = convertProposal(store, id, "task", {}, times, nextFrameId);
    expect(store.work.task.list()).toMatchObject([{ id: task.id, note: "Tools" }, { id: entity?.id }]);
    undoDecision(store, id, nextFrameId);
    expect(store.work.task.list()).toMatchObject([{ id: task.id, note: "Tools" }]);
    store.close();
  });

  test("P2: merged once more in a later round, the task says it once", () => {
    const store = proposed();
    const task = addEntity(store, "task", { title: "Garden" }, nowMs);
    const { entity } = mergeIntoTask(store, id, task.id, atOnce, nextFrameId);
    told(store);
    reopenProposal(store, id, nextFrameId);
    expect(mergeIntoTask(store, id, task.id, times, nextFrameId).entity.note).toBe(entity.note);
    store.close();
  });

  test("P2: what an earlier round made gives way to a merge, and comes back with its changes when that is undone", () => {
    const store = proposed();
    const task = addEntity(store, "task", { title: "Garden", note: "Tools" }, nowMs);
    const { entity: made } = convertProposal(store, id, "note", {}, atOnce, nextFrameId);
    editEntity(store, "note", made?.id ?? "", { markdown: "By hand" }, nowMs);
    told(store);
    reopenProposal(store, id, nextFrameId);
    mergeIntoTask(store, id, task.id, times, nextFrameId);
    expect(store.work.note.list()).toEqual([]);
    undoDecision(store, id, nextFrameId);
    expect(store.work.note.list()).toMatchObject([{ id: made?.id, markdown: "By hand" }]);
    expect(store.work.task.list()).toMatchObject([{ note: "Tools" }]);
    expect(store.proposals.find(id)).toMatchObject({ status: "pending", resolvedEntityId: made?.id });
    store.close();
  });

  test("P2: so does it when another kind is made of it, and when that is converted again before it is undone", () => {
    const store = proposed();
    const { entity: made } = convertProposal(store, id, "task", {}, atOnce, nextFrameId);
    editEntity(store, "task", made?.id ?? "", { note: "By hand" }, nowMs);
    told(store);
    reopenProposal(store, id, nextFrameId);
    approveInto(store, id, "note", {}, times, nextFrameId);
    const day = { start: "2026-12-01", end: "2026-12-02", isAllDay: true };
    convertProposal(store, id, "event", day, times, nextFrameId);
    expect([store.work.task.list(), store.work.note.list(), store.work.event.list().length]).toEqual([[], [], 1]);
    undoDecision(store, id, nextFrameId);
    expect([store.work.note.list(), store.work.event.list()]).toEqual([[], []]);
    expect(store.work.task.list()).toMatchObject([{ id: made?.id, note: "By hand" }]);
    store.close();
  });

  test("P2: what the person has taken away does not come back with an undo", () => {
    const store = proposed();
    const { entity: made } = convertProposal(store, id, "task", {}, atOnce, nextFrameId);
    told(store);
    reopenProposal(store, id, nextFrameId);
    removeEntity(store, "task", made?.id ?? "");
    approveInto(store, id, "note", {}, times, nextFrameId);
    undoDecision(store, id, nextFrameId);
    expect([store.work.task.list(), store.work.note.list()]).toEqual([[], []]);
    store.close();
  });

  test("P2: made the same again with other words it is changed, and undo does not leave it there", () => {
    const store = proposed();
    const { entity: made } = convertProposal(store, id, "task", {}, times, nextFrameId);
    const { entity } = convertProposal(store, id, "task", { title: "Other" }, times, nextFrameId);
    expect(entity).toMatchObject({ id: made?.id, title: "Other" });
    // As after any change by hand: that one is to be undone first.
    expect(() => undoDecision(store, id, nextFrameId)).toThrow(code("change_superseded"));
    undoChange(store, "task", entity?.id ?? "");
    undoDecision(store, id, nextFrameId);
    expect(store.work.task.list()).toEqual([]);
    store.close();
  });

  test("into a project, which it is put into then; a task made of it is of that project", () => {
    const store = proposed();
    const { project } = convertIntoProject(store, id, "Garden", times, nextFrameId);
    expect(store.proposals.find(id)).toMatchObject({ status: "approved", projectId: project.id });
    expect(convertProposal(store, id, "task", {}, times, nextFrameId).entity).toMatchObject({ projectId: project.id });
    expect(() => convertIntoProject(store, id, "Garden", times, nextFrameId)).toThrow(code("project_exists"));
    expect(store.work.task.list()).toHaveLength(1);
    store.close();
  });
});

describe("the command line", () => {
  async function scouts(dataFolder: string, ...words: string[]) {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
    const { newId } = systemTimeAndIds;
    const context = {
      io,
      environment: {},
      workingFolder: dataFolder,
      now: () => nowMs,
      newId,
      zone: () => "Europe/Berlin",
    };
    const exit = await runCommand(["proposals", ...words, "--data", dataFolder], context, "1");
    return { exit, out: stdout.written, err: stderr.written };
  }
  function held() {
    const { store, dataFolder } = deviceAt();
    store.proposals.add([
      letter(1, "A@x.test", "t"),
      letter(2, "b@x.test", "t"),
      letter(3, "a@x.test"),
      makeProposal(4),
    ]);
    store.projects.add("Garden");
    return { store, dataFolder };
  }

  test("snooze says until when, the list says how many are hidden, and --off brings them back", async () => {
    const { store, dataFolder } = held();
    const said = await scouts(dataFolder, "snooze", "msg-1", "--until", "tomorrow");
    expect(said).toEqual({ exit: 0, out: "snoozed until 2026-11-23 08:00  Subject 1\n", err: "" });
    const list = await scouts(dataFolder, "list");
    expect(list.out).not.toContain("Subject 1");
    expect(list.out).toContain("1 snoozed, the next one until 2026-11-23 08:00");
    expect((await scouts(dataFolder, "list", "--snoozed")).out).toContain("Subject 1");
    expect((await scouts(dataFolder, "snooze", "msg-1", "--off")).out).toBe("pending  Subject 1\n");
    expect((await scouts(dataFolder, "snooze", "msg-1")).err).toContain("--until");
    store.close();
  });

  test("what is snoozed says until when where it is shown, and every order says how many of what was asked for are hidden", async () => {
    const { store, dataFolder } = held();
    await scouts(dataFolder, "snooze", "msg-1", "--until", "tomorrow");
    const hidden = "1 snoozed, the next one until 2026-11-23 08:00";
    expect((await scouts(dataFolder, "show", "msg-1")).out).toMatch(
      /^status +pending, snoozed until 2026-11-23 08:00$/m,
    );
    expect((await scouts(dataFolder, "show", "msg-2")).out).toMatch(/^status +pending$/m);
    expect((await scouts(dataFolder, "list", "--snoozed")).out).toMatch(/^pending +2026-11-23 08:00 .* msg-1$/m);
    expect((await scouts(dataFolder, "list", "--by", "attention")).out).toContain(hidden);
    expect((await scouts(dataFolder, "list", "--search", "Subject 1")).out).toContain(hidden);
    for (const narrowed of [
      ["--search", "Subject 2"],
      ["--status", "approved"],
    ]) {
      expect((await scouts(dataFolder, "list", ...narrowed)).out).not.toContain("snoozed");
    }
    store.close();
  });

  test("what has no subject is named by its ref, whatever is done with it", async () => {
    const { store, dataFolder } = deviceAt();
    store.proposals.add([
      { ...letter(1, "a@x.test"), rawSubject: "" },
      { ...letter(2, "a@x.test"), rawSubject: " \u200b" },
    ]);
    expect((await scouts(dataFolder, "reject", "msg-1", "msg-2")).out).toBe("rejected  msg-1\nrejected  msg-2\n");
    expect((await scouts(dataFolder, "undo", "msg-1")).out).toMatch(/^pending {2}msg-1 {2}/);
    expect((await scouts(dataFolder, "snooze", "msg-1", "--until", "tomorrow")).out).toMatch(/ {2}msg-1\n$/);
    expect((await scouts(dataFolder, "approve", "msg-1", "--no-draft")).out).toBe("approved  msg-1\n");
    expect((await scouts(dataFolder, "list", "--by", "attention", "--status", "rejected")).out).toContain(
      "(no subject)",
    );
    store.close();
  });

  test("in bulk: by thread, by sender in whatever case, all or none; nothing named is refused", async () => {
    const { store, dataFolder } = held();
    expect((await scouts(dataFolder, "reject", "--from", "a@X.test")).out.split("\n").sort()).toEqual([
      "",
      "rejected  Subject 1",
      "rejected  Subject 3",
    ]);
    expect((await scouts(dataFolder, "approve", "--thread", "msg-1", "--task")).exit).toBe(0);
    expect(store.work.task.list()).toMatchObject([{ title: "Subject 2" }]);
    expect((await scouts(dataFolder, "reject", "--from", "nobody@x.test")).exit).toBe(3);
    expect(await scouts(dataFolder, "reject", "--thread", "msg-1")).toMatchObject({
      exit: 3,
      err: expect.stringContaining("Nothing of the conversation of msg-1 is pending"),
    });
    expect((await scouts(dataFolder, "reject")).err).toContain("--thread");
    store.close();
  });

  test("assign, convert, merge and original say what they did", async () => {
    const { store, dataFolder } = held();
    expect((await scouts(dataFolder, "assign", "msg-1", "--project", "garden")).out).toBe("Garden  Subject 1\n");
    expect((await scouts(dataFolder, "show", "msg-1")).out).toMatch(/^project +Garden$/m);
    expect((await scouts(dataFolder, "convert", "msg-1", "--to", "task")).out).toMatch(
      /^approved {2}Subject 1 {2}task tsk_/,
    );
    const [task] = store.work.task.list();
    expect(task?.projectId).toBe(store.projects.list()[0]?.id);
    expect((await scouts(dataFolder, "merge", "msg-2", "--task", "Subject 1")).out).toContain(`task ${task?.id}`);
    expect((await scouts(dataFolder, "convert", "msg-3", "--to", "nothing")).out).toBe("approved  Subject 3\n");
    expect((await scouts(dataFolder, "convert", "msg-4", "--to", "project", "--title", "Shed")).out).toMatch(
      /project prj_/,
    );
    expect((await scouts(dataFolder, "original", "msg-1", "--print-url")).out).toBe("https://mail.test/1\n");
    expect(await scouts(dataFolder, "original", "msg-4")).toMatchObject({
      exit: 2,
      err: expect.stringContaining("scouts open"),
    });
    expect((await scouts(dataFolder, "mute", "msg-4")).err).toContain("no sender");
    store.close();
  });
});
