import { describe, expect, it } from "vitest";
import * as z from "zod";
import { emptyDraft, type ProposalDraft } from "../../device/categorize/draft.ts";
import { decideProposal, newFrameId } from "../../device/store/decide.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import type { Category, Priority } from "../../events/proposals/categorize.ts";
import type { Proposal } from "../../events/proposals/proposal.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import type { ConsoleHome } from "./console-home.ts";
import { startConsole } from "./setting.ts";

const dayMs = 86_400_000;

interface Said extends Partial<ProposalDraft> {
  readonly category: Category;
  readonly priority?: Priority;
}

/** A home whose clock is the system's, and whose proposals are new. */
async function startInbox(count = 3, change: (n: number) => Partial<Proposal> = () => ({})) {
  const now = Date.now();
  const held = Array.from({ length: count }, (_, n) =>
    makeProposal(n + 1, { triagedAt: now - dayMs + n, ...change(n + 1) }),
  );
  const home = await startConsole({ proposals: [], held });
  const token = await home.token();
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await home.ask(method, `/api${path}`, { token, ...(body !== undefined && { body }) });
    return { status: answer.status, body: (await answer.json()) as unknown };
  };
  return { ...home, ask, idOf: (n: number) => makeProposal(n).id };
}

/** What stage 2 has made of a proposal. */
function drafted({ store }: Pick<ConsoleHome, "store">, n: number, { category, priority = "none", ...draft }: Said) {
  const { id } = makeProposal(n);
  const before = store.proposals.find(id)?.payload;
  const result = { category, priority, draft: { ...emptyDraft, title: `Draft ${n}`, ...draft } };
  if (before) expect(store.proposals.recategorize(id, before, result)).toBe(true);
  else {
    store.proposals.claim("test", 1_000, 60_000);
    expect(store.proposals.categorize(id, "test", result)).toBe(true);
    for (const { id: other } of store.proposals.list()) store.proposals.release(other, "test");
  }
}

const formIn = z.object({ form: z.looseObject({ kind: z.string() }), seen: z.string() });
type Ask = Awaited<ReturnType<typeof startInbox>>["ask"];
const formOf = async (ask: Ask, id: string) => formIn.parse((await ask("GET", `/proposals/${id}/draft`)).body);
const code = (wanted: string) => ({ error: expect.objectContaining({ code: wanted }) });

describe("a draft in the console", () => {
  it("P3: approving makes what the draft says, as the command line does; undoing it takes both back, and the cloud hears nothing", async () => {
    const home = await startInbox();
    drafted(home, 1, { category: "task", priority: "soon", due: "2026-12-01", note: "As said" });
    const { ask, store, cloud, idOf } = home;
    const path = `/proposals/${idOf(1)}/decision`;
    const { body } = await ask("PUT", path, { outcome: "approved" });
    expect(body).toMatchObject({ proposal: { status: "approved", resolvedEntityType: "task" }, undoableMs: 10_000 });
    expect(store.work.task.list()).toMatchObject([{ title: "Draft 1", due: "2026-12-01", note: "As said" }]);
    expect((await ask("DELETE", path)).body).toMatchObject({
      proposal: { status: "pending", resolvedEntityType: null },
    });
    expect(store.work.task.list()).toEqual([]);
    expect([store.outbox.counts().waiting, cloud.resolved.size]).toEqual([0, 0]);
  });

  it("what was decided in the last seconds is known to who loads the page anew, oldest first, until the cloud may be told", async () => {
    const home = await startInbox();
    drafted(home, 1, { category: "task" });
    const { ask, idOf, store } = home;
    const undoable = async () => (await ask("GET", "/undoable")).body;
    expect(await undoable()).toEqual({ decisions: [] });
    await ask("PUT", `/proposals/${idOf(1)}/decision`, { outcome: "approved" });
    await ask("PUT", `/proposals/${idOf(2)}/decision`, { outcome: "rejected" });
    // Of what the command line decides the cloud is told at once.
    decideProposal(store, idOf(3), "rejected", () => newFrameId(systemTimeAndIds.newId));
    const known = z.object({ decisions: z.array(z.looseObject({ undoableMs: z.number() })) }).parse(await undoable());
    expect(known.decisions).toMatchObject([
      { proposal: { id: idOf(1), status: "approved" } },
      { proposal: { id: idOf(2), status: "rejected" } },
    ]);
    for (const { undoableMs } of known.decisions) {
      expect(undoableMs).toBeGreaterThan(0);
      expect(undoableMs).toBeLessThanOrEqual(10_000);
    }
    await ask("DELETE", `/proposals/${idOf(2)}/decision`);
    expect(await undoable()).toMatchObject({ decisions: [{ proposal: { id: idOf(1) } }] });
  });

  it("is edited, kept and approved as it was edited, and no model changes it after its person", async () => {
    const home = await startInbox();
    drafted(home, 1, { category: "task" });
    const { ask, store, idOf } = home;
    store.proposals.wantReading(idOf(1));
    const { form, seen } = await formOf(ask, idOf(1));
    expect(form).toMatchObject({ kind: "task", title: "Draft 1", due: "", zone: "Europe/Berlin" });
    const edited = { ...form, title: "Call Ada", due: "2026-12-01T17:00", priority: "now" };
    const saved = await ask("PUT", `/proposals/${idOf(1)}/draft`, { form: edited, seen });
    expect(saved.body).toMatchObject({ proposal: { becomes: { kind: "task", title: "Call Ada" }, priority: "now" } });
    // In Berlin it is an hour later than in UTC in December.
    expect(store.proposals.find(idOf(1))?.payload).toMatchObject({ due: "2026-12-01T16:00:00Z", by: "person" });
    expect(store.proposals.claimReading("model", 60_000)).toBeUndefined();
    expect((await formOf(ask, idOf(1))).form).toEqual(edited);
    await ask("PUT", `/proposals/${idOf(1)}/decision`, { outcome: "approved" });
    expect(store.work.task.list()).toMatchObject([{ title: "Call Ada", due: "2026-12-01T16:00:00Z", priority: "now" }]);
  });

  it("of a series that runs already tells its next time beside its first, and of another event its own", async () => {
    const home = await startInbox();
    const times = { start: "2020-01-06T10:00:00", end: "2020-01-06T11:00:00", zone: "UTC" };
    const revision = { method: "REQUEST", uid: "u", recurrenceId: "", sequence: 0, stampedAt: null } as const;
    const weekly = { ...revision, status: "confirmed", recurrence: ["RRULE:FREQ=WEEKLY"] } as const;
    drafted(home, 1, { category: "event", ...times, calendar: { ...weekly, recurrence: [...weekly.recurrence] } });
    drafted(home, 2, { category: "event", ...times });
    const told = async (n: number) =>
      z
        .object({ payload: z.object({ start: z.string() }), takesPlace: z.object({ start: z.string() }) })
        .parse((await home.ask("GET", `/proposals/${home.idOf(n)}`)).body);
    const { payload, takesPlace } = await told(1);
    const [first, next] = [payload.start, takesPlace.start].map((each) => Date.parse(`${each}Z`));
    expect(payload.start).toBe(times.start);
    expect(((next ?? 0) - (first ?? 0)) % (7 * dayMs)).toBe(0);
    expect((next ?? 0) + 3_600_000).toBeGreaterThan(Date.now() - 60_000);
    expect((await told(2)).takesPlace.start).toBe(times.start);
  });

  it("becomes another kind: an event of a task, with its own zone, on the day the clocks change", async () => {
    const home = await startInbox();
    drafted(home, 1, { category: "task" });
    const { ask, store, idOf } = home;
    const { form, seen } = await formOf(ask, idOf(1));
    const event = {
      ...{ ...form, kind: "event", title: "Breakfast", place: "Rome", people: ["Ada", " "] },
      ...{ start: "2027-03-28T03:30", end: "2027-03-28T04:00", zone: "Europe/Rome" },
    };
    const skipped = { ...event, start: "2027-03-28T02:30" };
    expect((await ask("POST", `/proposals/${idOf(1)}/approve`, { form: skipped, seen })).body).toMatchObject({
      error: { code: "date_invalid" },
    });
    const { body } = await ask("POST", `/proposals/${idOf(1)}/approve`, { form: event, seen });
    expect(body).toMatchObject({ proposal: { status: "approved", resolvedEntityType: "event" } });
    expect(store.work.event.list()).toMatchObject([
      { start: "2027-03-28T03:30:00", end: "2027-03-28T04:00:00", zone: "Europe/Rome", people: ["Ada"] },
    ]);
    const note = { ...event, kind: "note", text: "# Remember" };
    expect((await ask("POST", `/proposals/${idOf(1)}/convert`, { form: note })).status).toBe(200);
    expect([store.work.event.list(), store.work.note.list()]).toMatchObject([[], [{ markdown: "# Remember" }]]);
    const project = { ...event, kind: "project", title: "Rome" };
    expect((await ask("POST", `/proposals/${idOf(1)}/convert`, { form: project })).status).toBe(200);
    expect([store.work.note.list(), store.projects.list()]).toMatchObject([[], [{ name: "Rome" }]]);
  });

  it("keeps what a calendar part says of it, to the second, where its form was not touched", async () => {
    const home = await startInbox();
    const calendar = {
      method: "REQUEST",
      uid: "u@x",
      recurrenceId: "",
      sequence: 3,
      stampedAt: 5,
      status: "tentative" as const,
      recurrence: [],
    };
    drafted(home, 1, {
      category: "event",
      start: "2027-01-05T09:00:30",
      end: "2027-01-05T10:00:30",
      zone: null,
      calendar,
    });
    drafted(home, 2, { category: "event", start: "2027-01-05", end: "2027-01-07", isAllDay: true });
    const { ask, store, idOf } = home;
    for (const n of [1, 2]) {
      const { form, seen } = await formOf(ask, idOf(n));
      await ask("POST", `/proposals/${idOf(n)}/approve`, { form: { ...form, title: `Mine ${n}` }, seen });
    }
    expect(store.work.event.list()).toMatchObject([
      { title: "Mine 2", start: "2027-01-05", end: "2027-01-07", isAllDay: true },
      {
        title: "Mine 1",
        start: "2027-01-05T09:00:30",
        end: "2027-01-05T10:00:30",
        zone: null,
        uid: "u@x",
        sequence: 3,
      },
    ]);
  });

  it.each([
    ["a day that does not exist", { kind: "task", due: "2026-02-30" }, "date_invalid", "day", "due"],
    ["words that are no date", { kind: "task", due: "<b>soonish</b>" }, "date_invalid", "words", "due"],
    [
      "a time zone that does not exist",
      { kind: "event", start: "2026-12-01T10:00", zone: "Mars/Olympus" },
      "value_invalid",
      "zone",
      "zone",
    ],
    ["an event that starts nowhere", { kind: "event", start: "", end: "" }, "value_invalid", "start", "start"],
    [
      "an event that ends before it starts",
      { kind: "event", start: "2026-12-01T10:00", end: "2026-12-01T09:00" },
      "value_invalid",
      "end",
      "end",
    ],
    [
      "an end without a time",
      { kind: "event", start: "2026-12-01T10:00", end: "2026-12-01" },
      "date_invalid",
      "endTime",
      "end",
    ],
    ["a title that is too long", { kind: "task", title: "x".repeat(501) }, "value_invalid", "title", "title"],
    ["a project's name that is too long", { kind: "project", title: "x".repeat(201) }, "usage", "name", "title"],
    ["a text that is too long", { kind: "note", text: "x".repeat(4_001) }, "value_invalid", "text", "text"],
    [
      "a place that is too long",
      { kind: "event", start: "2026-12-01", place: "x".repeat(1_001) },
      "value_invalid",
      "text",
      "place",
    ],
    [
      "too many people",
      { kind: "event", start: "2026-12-01", people: Array(101).fill("Ada") },
      "value_invalid",
      "list",
      "people",
    ],
    ["no title", { kind: "note", title: " \u202e" }, "value_invalid", "title", "title"],
  ] as const)("refuses %s, names the field, and changes nothing", async (_, change, wanted, about, field) => {
    const home = await startInbox();
    drafted(home, 1, { category: "task" });
    const { ask, store, idOf, problems } = home;
    const { form, seen } = await formOf(ask, idOf(1));
    for (const [method, path] of [
      ["PUT", "draft"],
      ["POST", "approve"],
    ] as const) {
      const answer = await ask(method, `/proposals/${idOf(1)}/${path}`, { form: { ...form, ...change }, seen });
      expect([answer.status, answer.body]).toEqual([
        400,
        { error: expect.objectContaining({ code: wanted, about, field }) },
      ]);
    }
    expect([store.proposals.find(idOf(1))?.status, store.work.task.list(), problems]).toEqual(["pending", [], []]);
  });

  it("of a project that is there already its name is refused, at the field where that is typed, and nothing is approved", async () => {
    const home = await startInbox();
    drafted(home, 1, { category: "task" });
    const { ask, store, idOf } = home;
    store.projects.add("Garden");
    const { form, seen } = await formOf(ask, idOf(1));
    const project = { ...form, kind: "project", title: " Garden " };
    expect(await ask("POST", `/proposals/${idOf(1)}/approve`, { form: project, seen })).toMatchObject({
      status: 409,
      body: { error: { code: "project_exists", about: "named", field: "title" } },
    });
    expect(store.proposals.find(idOf(1))?.status).toBe("pending");
  });

  it("takes a hostile title as the text it is, cut to what fits, and a project that is not there is refused", async () => {
    const home = await startInbox(1, () => ({ rawSubject: "\u202eevil\u0000<script>\ud800".repeat(30) }));
    const { ask, store, idOf } = home;
    const { form, seen } = await formOf(ask, idOf(1));
    expect(form["title"]).not.toMatch(/[\p{Cc}\p{Cs}\u202e]/u);
    const path = `/proposals/${idOf(1)}/approve`;
    const lost = { ...form, kind: "task", projectId: "prj_01JD0000000000000000000000" };
    expect((await ask("POST", path, { form: lost, seen })).body).toMatchObject(code("project_unknown"));
    expect(store.proposals.find(idOf(1))?.status).toBe("pending");
    expect((await ask("POST", path, { form: { ...form, kind: "task" }, seen })).status).toBe(200);
    expect(store.work.task.list()[0]?.title.length).toBeLessThanOrEqual(500);
  });
});

describe("P2: two that change one proposal", () => {
  it("the later of two drafts is told, and overwrites nothing unasked; so is who would approve another draft than was shown", async () => {
    const home = await startInbox();
    drafted(home, 1, { category: "task" });
    const { ask, store, idOf } = home;
    const { form, seen } = await formOf(ask, idOf(1));
    const path = `/proposals/${idOf(1)}`;
    expect((await ask("PUT", `${path}/draft`, { form: { ...form, title: "First" }, seen })).status).toBe(200);
    for (const [method, where, body] of [
      ["PUT", "draft", { form: { ...form, title: "Second" }, seen }],
      ["POST", "approve", { form: { ...form, title: "Second" }, seen }],
      ["PUT", "decision", { outcome: "approved", seen }],
    ] as const) {
      const answer = await ask(method, `${path}/${where}`, body);
      expect([answer.status, answer.body]).toEqual([409, code("draft_changed")]);
    }
    expect(store.proposals.find(idOf(1))).toMatchObject({ status: "pending", payload: { title: "First" } });
    const now = await formOf(ask, idOf(1));
    expect(
      (await ask("POST", `${path}/approve`, { form: { ...now.form, title: "Second" }, seen: now.seen })).status,
    ).toBe(200);
    expect(store.work.task.list()).toMatchObject([{ title: "Second" }]);
  });

  it("who had a draft open of what is closed meanwhile is told by whom, and nothing is made", async () => {
    const home = await startInbox();
    drafted(home, 1, { category: "task" });
    drafted(home, 2, { category: "task" });
    const { ask, store, idOf } = home;
    const [one, two] = [await formOf(ask, idOf(1)), await formOf(ask, idOf(2))];
    store.proposals.close(idOf(1), { reason: "resolved_elsewhere", round: 1, outcome: "rejected" });
    store.proposals.close(idOf(2), { reason: "gone" });
    for (const [n, { form, seen }, about] of [
      [1, one, "elsewhereRejected"],
      [2, two, "closed"],
    ] as const) {
      for (const [method, where] of [
        ["PUT", "draft"],
        ["POST", "approve"],
      ] as const) {
        const answer = await ask(method, `/proposals/${idOf(n)}/${where}`, { form, seen });
        expect([answer.status, answer.body]).toEqual([
          409,
          { error: expect.objectContaining({ code: "proposal_decided", about }) },
        ]);
      }
    }
    expect(store.work.task.list()).toEqual([]);
    expect((await ask("POST", `/proposals/${idOf(3)}/convert`, { form: one.form })).body).toMatchObject(
      code("proposal_undecided"),
    );
  });

  it("a decision another device was first with is shown as a conflict, told at once, and listed until its person settles it", async () => {
    const home = await startInbox();
    const { ask, store, device, idOf } = home;
    await ask("PUT", `/proposals/${idOf(1)}/decision`, { outcome: "approved" });
    const at = (await linesOf(home, "new", 1))[0]?.at ?? "";
    const row = store.proposals.differs({ id: idOf(1), decided: 1, round: 1, outcome: "rejected" });
    if (row === undefined) throw new Error("it is no conflict");
    device.events.emit("conflict", row);
    const [told] = await linesOf(home, at, 1);
    expect(told?.event).toMatchObject({
      type: "proposal",
      proposal: { id: idOf(1), isInConflict: true, decidedElsewhere: "rejected" },
    });
    const listed = await ask("POST", "/proposals/page", { status: "conflict" });
    expect(listed.body).toMatchObject({ total: 1, proposals: [{ id: idOf(1), isInConflict: true }] });
    expect((await ask("GET", "/brief")).body).toMatchObject({ conflicts: 1 });
    expect((await ask("DELETE", `/proposals/${idOf(1)}/decision`)).body).toMatchObject({ by: "yielded" });
    expect((await ask("POST", "/proposals/page", { status: "conflict" })).body).toMatchObject({ total: 0 });
  });
});

interface Line {
  readonly at: string;
  readonly event: { readonly type: string };
}

async function linesOf(home: Pick<ConsoleHome, "served"> & { token(): Promise<string> }, after: string, count: number) {
  const stop = new AbortController();
  const headers = { authorization: `Bearer ${await home.token()}` };
  const answer = await fetch(`${home.served.origin}/api/events?after=${after}`, { headers, signal: stop.signal });
  const found: Line[] = [];
  let rest = "";
  for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) found.push(JSON.parse(part));
    if (found.length >= count) break;
  }
  stop.abort();
  return found;
}

describe("several at once", () => {
  it("P2: each is decided, but for those that were decided meanwhile, which are said; undoing takes back what was decided", async () => {
    const home = await startInbox(5);
    for (const n of [1, 2, 3]) drafted(home, n, { category: "task" });
    const { ask, store, idOf } = home;
    const other = openDeviceStore({ ...systemTimeAndIds, dataFolder: store.dataFolder });
    decideProposal(other, idOf(2), "rejected", () => newFrameId(systemTimeAndIds.newId));
    other.close();
    const ids = [1, 2, 3, 9].map(idOf);
    const { body } = await ask("POST", "/decisions", { ids, outcome: "approved" });
    expect(body).toMatchObject({
      proposals: [
        { id: idOf(1), status: "approved" },
        { id: idOf(3), status: "approved" },
      ],
      refused: [
        { id: idOf(2), why: { code: "proposal_decided", about: "rejected" } },
        { id: idOf(9), why: { code: "proposal_unknown" } },
      ],
    });
    expect(store.work.task.list()).toHaveLength(2);
    await ask("POST", "/undoings", { ids: [idOf(1), idOf(3)] });
    expect([store.work.task.list(), store.proposals.counts()]).toMatchObject([[], { pending: 4, rejected: 1 }]);
    expect((await ask("POST", "/decisions", { ids: Array(151).fill(idOf(1)), outcome: "approved" })).status).toBe(400);
  });

  it("are told apart from those that somebody has decided meanwhile, or that are not there", async () => {
    const { ask, idOf } = await startInbox(3);
    await ask("PUT", `/proposals/${idOf(2)}/decision`, { outcome: "rejected" });
    const asked = await ask("POST", "/pending", { ids: [1, 2, 3, 9].map(idOf) });
    expect(asked).toEqual({ status: 200, body: { ids: [1, 3].map(idOf) } });
    expect((await ask("POST", "/pending", { ids: [] })).status).toBe(400);
  });

  it("are all that wait of a conversation, or from a sender", async () => {
    const sender = (n: number) => ({ name: "Ada", address: n < 4 ? "ada@example.org" : "bob@example.org" });
    const home = await startInbox(5, (n) => ({
      metadata: { sender: sender(n), relation: "to", automatic: false, ...(n % 2 === 0 && { threadRef: "t" }) },
    }));
    const { ask, idOf } = home;
    const alike = async (n: number, by: string) => (await ask("POST", `/proposals/${idOf(n)}/alike`, { by })).body;
    expect(await alike(1, "sender")).toEqual({ ids: [3, 2, 1].map(idOf), total: 3 });
    expect(await alike(2, "thread")).toEqual({ ids: [4, 2].map(idOf), total: 2 });
    expect(await alike(1, "thread")).toEqual({ ids: [idOf(1)], total: 1 });
  });

  it("are put off until a time one writes or one that was offered, and listed as such; a time that is past is refused", async () => {
    const home = await startInbox();
    const { ask, store, idOf } = home;
    const offered = z.object({ snoozes: z.array(z.object({ name: z.string(), atMs: z.number() })), today: z.string() });
    const { snoozes } = offered.parse((await ask("GET", "/choices")).body);
    const until = snoozes.find(({ name }) => name === "tomorrow")?.atMs ?? 0;
    const { body } = await ask("POST", "/snoozes", { ids: [idOf(1), idOf(2)], until });
    expect(body).toMatchObject({
      proposals: [{ snoozedUntil: until }, { snoozedUntil: until }],
      refused: [],
      untilMs: until,
    });
    expect((await ask("POST", "/proposals/page", {})).body).toMatchObject({ total: 1 });
    expect((await ask("POST", "/proposals/page", { status: "snoozed" })).body).toMatchObject({ total: 2 });
    expect((await ask("POST", "/snoozes", { ids: [idOf(1)], until: null })).body).toMatchObject({ untilMs: null });
    expect((await ask("POST", "/proposals/page", {})).body).toMatchObject({ total: 2 });
    for (const [past, about] of [
      [1, "snoozePast"],
      ["2020-01-01", "snoozePast"],
      [Date.now() + 60 * dayMs, "snoozeClosed"],
    ] as const) {
      expect((await ask("POST", "/snoozes", { ids: [idOf(3)], until: past })).body).toMatchObject({
        proposals: [],
        refused: [{ id: idOf(3), why: { code: "value_invalid", about } }],
      });
    }
    const odd = await ask("POST", "/snoozes", { ids: [idOf(3)], until: "2026-02-30" });
    expect([odd.status, odd.body]).toEqual([400, code("date_invalid")]);
    expect(store.proposals.find(idOf(3))?.snoozedUntil).toBeNull();
  });

  it("are put into a project, and a task made of one is of it; merged into a task, and its note says of which", async () => {
    const home = await startInbox();
    drafted(home, 1, { category: "task" });
    const { ask, store, idOf } = home;
    const { id: garden } = store.projects.add("Garden");
    expect((await ask("POST", "/assignments", { ids: [idOf(1), idOf(2)], project: garden })).body).toMatchObject({
      proposals: [{ projectId: garden }, { projectId: garden }],
    });
    expect((await ask("POST", "/proposals/page", { project: garden })).body).toMatchObject({ total: 2 });
    await ask("PUT", `/proposals/${idOf(1)}/decision`, { outcome: "approved" });
    expect(store.work.task.list()).toMatchObject([{ projectId: garden }]);
    const task = addEntity(store, "task", { title: "Ring Élodie" }, Date.now());
    expect((await ask("POST", "/merge-targets", { words: "elodie ring" })).body).toEqual({
      tasks: [{ id: task.id, title: "Ring Élodie", due: null }],
    });
    expect((await ask("POST", "/merges", { ids: [idOf(2), idOf(3)], task: task.id })).body).toMatchObject({
      refused: [],
    });
    expect(store.work.task.find(task.id)?.note).toBe("Subject 2\n\nSubject 3");
    expect(
      (await ask("POST", "/merges", { ids: [idOf(2)], task: "tsk_01JD0000000000000000000000" })).body,
    ).toMatchObject({
      refused: [{ why: { code: "proposal_decided" } }],
    });
  });
});

describe("the order of the inbox", () => {
  it("is what deserves attention first, and stays as it is for a look, whatever one decides meanwhile", async () => {
    const home = await startInbox(40, (n) => ({
      metadata: {
        sender: { name: "", address: `${n % 2 === 0 ? "ada" : "bob"}@example.org` },
        relation: "to",
        automatic: false,
      },
    }));
    for (const n of [1, 2, 3, 4]) drafted(home, n, { category: "task", priority: n === 3 ? "now" : "later" });
    drafted(home, 1, { category: "task", priority: "later", due: "2026-11-24" });
    const { ask, idOf } = home;
    const listed = z.object({ total: z.number(), proposals: z.array(z.object({ id: z.string() })) });
    const page = async (look: string, from = 0) =>
      listed.parse((await ask("POST", "/proposals/page", { look, from })).body);
    const first = await page("a");
    expect(first.proposals.slice(0, 4).map(({ id }) => id)).toEqual([3, 1, 4, 2].map(idOf));
    expect((await page("a", 38)).proposals).toHaveLength(2);
    for (const n of [5, 7, 9, 11, 13]) await ask("PUT", `/proposals/${idOf(n)}/decision`, { outcome: "rejected" });
    for (const n of [6, 8, 10, 12, 14]) await ask("PUT", `/proposals/${idOf(n)}/decision`, { outcome: "approved" });
    const decided = new Set(Array.from({ length: 10 }, (_, n) => idOf(n + 5)));
    const left = first.proposals.filter(({ id }) => !decided.has(makeProposal(Number(id.split("-").at(-1))).id));
    expect((await page("a")).proposals).toEqual(left.map(({ id }) => expect.objectContaining({ id })));
    // The next look has learned: Ada's come before Bob's.
    const places = async (look: string) => {
      const ids = (await page(look)).proposals.map(({ id }) => id);
      return { ada: ids.indexOf(idOf(16)), bob: ids.indexOf(idOf(39)) };
    };
    const [before, after] = [await places("a"), await places("b")];
    expect([before.bob < before.ada, after.ada < after.bob]).toEqual([true, true]);
    // What is looked at anew is put where it belongs now.
    drafted(home, 2, { category: "task", priority: "now", due: "2026-11-23" });
    expect((await page("a")).proposals[0]?.id).toBe(idOf(2));
  });

  it("is narrowed by category, priority and project, each with its numbers", async () => {
    const home = await startInbox(4);
    const { ask, store, idOf } = home;
    drafted(home, 1, { category: "task", priority: "now" });
    drafted(home, 2, { category: "event", priority: "now" });
    const { id: garden } = store.projects.add("Garden");
    store.proposals.assign(idOf(2), garden);
    const total = async (body: object) =>
      z.looseObject({ total: z.number() }).parse((await ask("POST", "/proposals/page", body)).body).total;
    expect([
      await total({ category: "task" }),
      await total({ priority: "now" }),
      await total({ project: garden }),
    ]).toEqual([1, 2, 1]);
    expect((await ask("POST", "/proposals/counts", { category: "task" })).body).toMatchObject({
      total: 1,
      categories: { task: 1, event: 1, unprocessed: 2 },
      priorities: { now: 1 },
      projects: {},
    });
  });
});
