import { expect, test } from "vitest";
import { runCommand } from "../../cli/program.ts";
import { type Categorized, emptyDraft } from "../../device/categorize/draft.ts";
import { type DeviceStore, openDeviceStore } from "../../device/store/open.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import type { ProposalMetadata } from "../../events/proposals/metadata.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { Screen } from "../device/screen.ts";
import { temporaryFolder } from "../device/setting.ts";
import { newId } from "../memory/chance.ts";
import { ada, nowMs, zone } from "./case.ts";

/** A device that holds these, categorised as they say. */
function deviceWith(...results: readonly (Partial<Categorized> & { readonly from?: Partial<ProposalMetadata> })[]) {
  const dataFolder = temporaryFolder();
  const open = () => openDeviceStore({ dataFolder, now: () => nowMs, newId });
  const within = <T>(work: (store: DeviceStore) => T): T => {
    const store = open();
    try {
      return work(store);
    } finally {
      store.close();
    }
  };
  within((store) => {
    store.proposals.add(
      results.map(({ from }, n) => makeProposal(n, { triagedAt: nowMs - 1_000 * n, metadata: { ...ada, ...from } })),
    );
    store.proposals.claim("test", results.length, 1_000);
    for (const [n, { category = "task", priority = "none", draft }] of results.entries()) {
      const result = { category, priority, draft: { ...emptyDraft, title: `Draft ${n}`, ...draft } };
      expect(store.proposals.categorize(makeProposal(n).id, "test", result)).toBe(true);
    }
  });
  return { within, scouts: (...words: string[]) => scouts(dataFolder, words) };
}

async function scouts(dataFolder: string, words: readonly string[]) {
  const [stdout, stderr] = [new Screen(), new Screen()];
  const io = { stdout, stderr, isTTY: false, color: false, signal: new AbortController().signal };
  const context = { io, environment: {}, workingFolder: dataFolder, now: () => nowMs, newId, zone: () => zone };
  const code = await runCommand([...words, "--data", dataFolder], context, "1");
  return { code, out: stdout.written, err: stderr.written };
}

const due = { ...emptyDraft, title: "Send the figures", due: "2026-11-20", quotes: ["by Friday"] };
const invitation = (sequence: number, start: string, status: "confirmed" | "cancelled" = "confirmed") => ({
  ...emptyDraft,
  title: "Plan the bridge",
  start,
  end: start,
  zone,
  calendar: {
    method: "REQUEST",
    uid: "bridge@example.org",
    recurrenceId: "",
    sequence,
    stampedAt: nowMs,
    status,
    recurrence: [],
  },
});

test("approve without an option takes the draft", async () => {
  const { scouts, within } = deviceWith({ category: "task", priority: "soon", draft: due });
  expect(await scouts("proposals", "approve", "msg-0")).toMatchObject({ code: 0, err: "" });
  within((store) => {
    expect(store.work.task.list()).toMatchObject([
      { title: "Send the figures", due: "2026-11-20", priority: "soon", note: "> by Friday" },
    ]);
    expect(store.proposals.list()).toMatchObject([{ status: "approved", resolvedEntityType: "task" }]);
  });
});

test("options stand in the place of what the draft says", async () => {
  const { scouts, within } = deviceWith({ category: "task", draft: due });
  const words = ["proposals", "approve", "msg-0", "--title", "Figures", "--due", "2026-12-01", "--priority", "later"];
  expect(await scouts(...words)).toMatchObject({ code: 0 });
  within((store) =>
    expect(store.work.task.list()).toMatchObject([{ title: "Figures", due: "2026-12-01", priority: "later" }]),
  );
});

test("an answer becomes a task that says whom to answer; what is only to be known becomes nothing", async () => {
  const { scouts, within } = deviceWith({ category: "reply" }, { category: "information" });
  expect(await scouts("proposals", "approve", "msg-0", "msg-1")).toMatchObject({ code: 0 });
  within((store) => {
    expect(store.work.task.list()).toMatchObject([{ title: "Answer Ada Lovelace: Draft 0" }]);
    expect(store.proposals.list().map(({ status }) => status)).toEqual(["approved", "approved"]);
  });
});

test("--no-draft marks it and makes nothing", async () => {
  const { scouts, within } = deviceWith({ category: "task" });
  expect(await scouts("proposals", "approve", "msg-0", "--no-draft")).toMatchObject({ code: 0 });
  within((store) => expect(store.work.task.list()).toEqual([]));
});

test("an option of another kind than the draft's is refused, and nothing is decided", async () => {
  const { scouts, within } = deviceWith({ category: "task" });
  expect(await scouts("proposals", "approve", "msg-0", "--place", "Rome")).toMatchObject({ code: 2 });
  within((store) => expect(store.proposals.list()).toMatchObject([{ status: "pending" }]));
});

test("an invitation that is there already is changed by its update, and undo brings back what was", async () => {
  const { scouts, within } = deviceWith(
    { category: "event", draft: invitation(0, "2026-11-27T15:00:00") },
    { category: "event", draft: invitation(1, "2026-11-28T15:00:00") },
  );
  await scouts("proposals", "approve", "msg-0");
  expect(await scouts("proposals", "approve", "msg-1")).toMatchObject({ code: 0 });
  const starts = () => within((store) => store.work.event.list().map(({ start, sequence }) => [start, sequence]));
  expect(starts()).toEqual([["2026-11-28T15:00:00", 1]]);
  expect(await scouts("proposals", "undo", "msg-1")).toMatchObject({ code: 0 });
  expect(starts()).toEqual([["2026-11-27T15:00:00", 0]]);
});

test("an invitation that is older than what is there changes nothing", async () => {
  const { scouts, within } = deviceWith(
    { category: "event", draft: invitation(2, "2026-11-28T15:00:00", "cancelled") },
    { category: "event", draft: invitation(1, "2026-11-27T15:00:00") },
  );
  await scouts("proposals", "approve", "msg-0");
  expect(await scouts("proposals", "approve", "msg-1")).toMatchObject({ code: 0 });
  within((store) =>
    expect(store.work.event.list()).toMatchObject([{ status: "cancelled", start: "2026-11-28T15:00:00" }]),
  );
});

test("list, show and --json say category, priority, the day and the draft", async () => {
  const { scouts } = deviceWith({ category: "task", priority: "soon", draft: { ...due, reasons: ["deadline"] } });
  const { out } = await scouts("proposals", "list");
  for (const each of ["task", "soon", "2026-11-20"]) expect(out).toContain(each);
  const shown = (await scouts("proposals", "show", "msg-0")).out;
  for (const each of ["draft: task", "Send the figures", "2026-11-20", '"by Friday"', "it names a deadline"]) {
    expect(shown).toContain(each);
  }
  const [listed] = JSON.parse((await scouts("proposals", "list", "--json")).out);
  expect(listed).toMatchObject({ category: "task", priority: "soon", payload: { due: "2026-11-20" } });
  expect(listed).not.toHaveProperty("categorizer");
});

test("a series that runs already is shown at its next time, in lists, in the brief and to programs", async () => {
  const weekly = invitation(0, "2026-10-20T15:00:00");
  const runs = { ...weekly, calendar: { ...weekly.calendar, recurrence: ["RRULE:FREQ=WEEKLY"] } };
  const over = { ...weekly, calendar: { ...weekly.calendar, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=2"] } };
  const { scouts } = deviceWith({ category: "event", priority: "later", draft: runs });
  for (const list of [[], ["--by", "attention"]]) {
    const { out } = await scouts("proposals", "list", ...list);
    expect([out.includes("2026-11-24"), out.includes("2026-10-20")]).toEqual([true, false]);
  }
  expect((await scouts("proposals", "show", "msg-0")).out).toMatch(/when +2026-10-20 15:00\n *next +2026-11-24 15:00/);
  expect((await scouts("brief")).out).toMatch(/Tue 24 Nov .*Plan the bridge/);
  const { brief } = JSON.parse((await scouts("brief", "--json")).out);
  expect(brief.waiting).toMatchObject([{ start: "2026-11-24T15:00:00" }]);
  const ended = deviceWith({ category: "event", priority: "later", draft: over });
  expect((await ended.scouts("proposals", "list")).out).toContain("2026-10-20");
});

test("show says of an invitation not all of whose times are known why that is, before it is approved", async () => {
  const draft = invitation(0, "2026-11-27T15:00:00");
  const recurrence = Array.from({ length: 50 }, () => "RRULE:FREQ=YEARLY;BYDAY=MO,TU;BYSETPOS=40;COUNT=9999");
  const { scouts } = deviceWith({
    category: "event",
    draft: { ...draft, calendar: { ...draft.calendar, recurrence } },
  });
  expect((await scouts("proposals", "show", "msg-0")).out).toMatch(
    /but +it has more rules or dates than are worked out/,
  );
});

test("what is due at a moment is due on the day that shows where the person is, wherever that is said", async () => {
  // Half past midnight in Berlin, the next day.
  const draft = { ...due, due: "2026-11-20T23:30:00Z" };
  const { scouts, within } = deviceWith({ category: "task", priority: "soon", draft });
  within((store) => addEntity(store, "task", { title: "Late", due: "2026-11-16T23:30:00Z" }, nowMs));
  expect((await scouts("proposals", "list")).out).toContain(" 2026-11-21 ");
  expect((await scouts("proposals", "list", "--by", "attention")).out).toContain(" 2026-11-21 ");
  expect((await scouts("proposals", "show", "msg-0")).out).toMatch(/due +2026-11-21 00:30\n/);
  const { out } = await scouts("brief");
  expect(out).toContain("Sat 21 Nov");
  expect(out).toContain("Late, since Tue 17 Nov");
});

test("by attention: priority first, then what decisions have taught; nothing is hidden, and learning can be switched off", async () => {
  const bea = { sender: { name: "Bea", address: "bea@example.org" } };
  const carl = { sender: { name: "Carl", address: "carl@example.org" } };
  const { scouts, within } = deviceWith(
    { category: "information", from: carl },
    { category: "information", from: bea },
    { category: "task", priority: "now", from: carl },
    ...Array.from({ length: 6 }, () => ({ category: "information" as const, from: carl })),
    ...Array.from({ length: 6 }, () => ({ category: "information" as const, from: bea })),
  );
  within((store) => {
    for (let n = 3; n < 9; n++) store.proposals.decide(makeProposal(n).id, "rejected");
    for (let n = 9; n < 15; n++) store.proposals.decide(makeProposal(n).id, "approved");
  });
  const order = async () =>
    JSON.parse((await scouts("proposals", "list", "--by", "attention", "--json")).out).map(
      ({ sourceMsgRef }: { sourceMsgRef: string }) => sourceMsgRef,
    );
  expect(await order()).toEqual(["msg-2", "msg-1", "msg-0"]);
  const learned = (await scouts("learn", "show")).out;
  expect(learned).toMatch(/\+\d\.\d\d {2}from bea@example\.org/);
  expect(learned).toMatch(/-\d\.\d\d {2}from carl@example\.org/);
  await scouts("learn", "off");
  expect((await scouts("learn", "show")).out).toContain("off");
  await scouts("learn", "on");
  await scouts("learn", "reset");
  expect((await scouts("learn", "show")).out).toContain("Nothing was learned yet");
  expect(new Set(await order())).toEqual(new Set(["msg-0", "msg-1", "msg-2"]));
});

test("by attention: the reason is said whole, and not what another column says already", async () => {
  const reasons = ["deadline", "asked", "question"] as const;
  const { scouts } = deviceWith({ category: "task", priority: "soon", draft: { ...due, reasons: [...reasons] } });
  const { out } = await scouts("proposals", "list", "--by", "attention");
  expect(out).toMatch(/ {2}it names a deadline, it asks for something, it asks a question {2,}msg-0\n/);
  expect(out).not.toContain("…");
});

test("by attention: a search, a status, a limit and what is snoozed narrow it as they do by arrival", async () => {
  const { scouts, within } = deviceWith(
    { category: "information" },
    { category: "task", priority: "now" },
    { category: "task", priority: "soon" },
    { category: "information" },
  );
  within((store) => store.proposals.decide(makeProposal(3).id, "rejected"));
  const refs = async (...words: string[]) =>
    JSON.parse((await scouts("proposals", "list", ...words, "--json")).out)
      .map(({ sourceMsgRef }: { sourceMsgRef: string }) => sourceMsgRef)
      .sort();
  const byAttention = (...words: string[]) => refs("--by", "attention", ...words);
  expect(await byAttention("--search", "subject 2")).toEqual(["msg-2"]);
  expect(await byAttention("--search", "subject 2")).toEqual(await refs("--search", "subject 2"));
  expect(await byAttention("--search", "nowhere")).toEqual([]);
  expect(await byAttention("--limit", "1")).toEqual(["msg-1"]);
  expect(await byAttention("--status", "rejected", "--search", "subject")).toEqual(["msg-3"]);
  expect(await byAttention("--snoozed")).toEqual([]);
});

test("brief: what waits by priority with its sender, then deadlines and events of seven days, without a home", async () => {
  const { scouts, within } = deviceWith(
    { category: "reply", priority: "soon", draft: { ...emptyDraft, title: "The offer" } },
    { category: "task", priority: "now", draft: due },
    { category: "automatic" },
  );
  within((store) => {
    addEntity(store, "task", { title: "Late", due: "2026-11-16" }, nowMs);
    addEntity(store, "task", { title: "Paint", due: "2026-11-19T09:00:00Z" }, nowMs);
    addEntity(store, "task", { title: "Next year", due: "2027-01-01" }, nowMs);
    addEntity(store, "event", { title: "Fair", start: "2026-11-24", end: "2026-11-26", isAllDay: true }, nowMs);
    addEntity(
      store,
      "event",
      { title: "Gone", start: "2026-11-20", end: "2026-11-21", isAllDay: true, status: "cancelled" },
      nowMs,
    );
  });
  const { code, out } = await scouts("brief");
  expect(code).toBe(0);
  const places = [
    "Send the figures",
    "The offer",
    "1 only to know",
    "overdue",
    "Late, since Mon 16 Nov",
    "tomorrow",
    "Paint",
    "Tue 24 Nov",
    "Fair",
    "Your projects",
  ];
  expect(places.map((each) => out.indexOf(each))).toEqual(
    places.map((each) => out.indexOf(each)).toSorted((a, b) => a - b),
  );
  for (const each of places) expect(out).toContain(each);
  for (const each of ["Next year", "Gone"]) expect(out).not.toContain(each);
  expect(out).toContain("Ada Lovelace");
  const { brief } = JSON.parse((await scouts("brief", "--json")).out);
  expect(brief.waiting).toMatchObject([{ title: "Send the figures", priority: "now" }, { title: "The offer" }]);
});

test("brief: however much there is, it stays a page", async () => {
  const many = Array.from({ length: 60 }, () => ({ category: "reply", priority: "soon", draft: due }) as const);
  const { scouts, within } = deviceWith(...many);
  within((store) => {
    for (let n = 0; n < 100; n += 1) {
      const title = `Task ${n} ${"with a long title ".repeat(10)}`;
      addEntity(store, "task", { title, due: "2026-11-16" }, nowMs);
      addEntity(store, "task", { title, due: "2026-11-20" }, nowMs);
    }
  });
  const { out } = await scouts("brief");
  expect(out).toContain("and 94 more");
  expect(out).toContain("48 more");
  // About two thousand tokens.
  expect(out.length).toBeLessThan(8_000);
});

test("proposals draft prints the text of a reply and nothing else; without one it says who drafts them", async () => {
  const note = "Dear Ada,\n\nFriday suits me.";
  const { scouts } = deviceWith(
    { category: "reply", priority: "soon", draft: { ...emptyDraft, note } },
    { category: "note", draft: { ...emptyDraft, note: "to keep" } },
  );
  expect(await scouts("proposals", "draft", "msg-0")).toMatchObject({ code: 0, out: `${note}\n`, err: "" });
  expect(await scouts("proposals", "draft", "msg-1")).toMatchObject({
    code: 2,
    out: "",
    err: expect.stringContaining("a language model drafts them"),
  });
});
