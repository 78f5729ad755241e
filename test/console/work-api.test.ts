import { strFromU8, unzipSync } from "fflate";
import ical from "node-ical";
import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { type WorkUseCases, workUseCases } from "../../device/console/work/use-cases.ts";
import { DeviceError } from "../../device/errors.ts";
import { newFrameId } from "../../device/store/decide.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { addEntity } from "../../device/work/change-entities.ts";
import { dayAfter } from "../../device/work/dates/zone.ts";
import { approveInto } from "../../device/work/decide-into.ts";
import { makeProposal } from "../device/fake-cloud.ts";
import { temporaryStore } from "../device/setting.ts";
import { rounds } from "../rounds.ts";
import { startConsole } from "./setting.ts";

const nowMs = Date.UTC(2026, 10, 22, 12);
const task = z.object({ entity: z.looseObject({ id: z.string() }), revision: z.number() });
const file = z.object({ name: z.string(), type: z.string(), bytes: z.string() });
const textIn = (given: unknown) => Buffer.from(file.parse(given).bytes, "base64").toString("utf8");
/** A file as a tab sends it. */
const sent = (content: string | Buffer) => Buffer.from(content).toString("base64");

/** A tab of a console, and what it is answered. */
async function tab() {
  const home = await startConsole({ proposals: [] });
  const token = await home.token();
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await home.ask(method, `/api/work${path}`, { token, ...(body !== undefined && { body }) });
    const json: unknown = await answer.json();
    return { status: answer.status, json };
  };
  return { home, ask, made: async (path: string, body: object) => task.parse((await ask("POST", path, body)).json) };
}

/** The use cases at a fixed time, in a zone whose clocks are set twice a year. */
function inBerlin(): { store: DeviceStore; work: WorkUseCases } {
  const store = temporaryStore();
  return { store, work: workUseCases({ store, now: () => nowMs, zone: () => "Europe/Berlin" }) };
}

/** Of a very busy calendar, a whole number a day. */
const eventsAMonth = Math.max(4_500, rounds(30_000));

describe("what a tab does with work", () => {
  it("asks only with a token, within bounds", async () => {
    const { home, ask } = await tab();
    expect((await home.ask("POST", "/api/work/tasks/page", { body: {} })).status).toBe(401);
    for (const [path, body] of [
      ["/tasks/page", { status: "lost" }],
      ["/tasks/page", { words: "x".repeat(201) }],
      ["/calendar", { first: "2026-02-30", last: "2026-03-01" }],
      ["/calendar", { first: "2026-11-01", last: "2026-12-31" }],
      ["/calendar", { first: "2026-11-02", last: "2026-11-01" }],
      ["/tasks", { title: "A", id: "tsk_01JD0000000000000000000000" }],
    ] as const)
      expect((await ask("POST", path, body)).status, path).toBe(400);
    expect((await ask("GET", "/tasks/..%2f..%2fetc")).status).toBe(404);
    expect(home.problems).toEqual([]);
  });

  it("adds, changes, ends, opens again, takes away and brings back a task, and shows what was done to it", async () => {
    const { home, ask, made } = await tab();
    const { entity, revision } = await made("/tasks", { title: " Answer Ada ", due: "2026-11-27", priority: "soon" });
    expect(entity).toMatchObject({ title: "Answer Ada", due: "2026-11-27", priority: "soon", status: "open" });
    const at = `/tasks/${entity.id}`;
    expect((await ask("PATCH", `${at}?revision=${revision}`, { due: "" })).json).toMatchObject({
      entity: { due: null },
    });
    expect((await ask("PUT", `${at}/done`, { isDone: true })).json).toMatchObject({ title: "Answer Ada" });
    expect((await ask("POST", "/tasks/page", {})).json).toMatchObject({ total: 0 });
    expect((await ask("POST", "/tasks/page", { status: "done" })).json).toMatchObject({ total: 1 });
    await ask("PUT", `${at}/done`, { isDone: false });
    expect((await ask("DELETE", at)).json).toEqual({ id: entity.id, title: "Answer Ada", revision: 5 });
    expect(await ask("GET", at)).toMatchObject({ status: 404, json: { error: { code: "task_unknown" } } });
    expect((await ask("POST", `${at}/undo`, {})).json).toMatchObject({ isGone: false });
    expect((await ask("GET", at)).json).toMatchObject({ entity: { status: "open", due: null } });
    const whats = z.object({ changes: z.array(z.looseObject({ what: z.string() })) });
    expect(whats.parse((await ask("GET", `${at}/history`)).json).changes.map(({ what }) => what)).toEqual([
      ...["undo", "removed", "changed", "changed", "changed", "added"],
    ]);
    expect(home.problems).toEqual([]);
  });

  it("two tabs: what the other has changed is told and not overwritten; what it has not touched is changed", async () => {
    const { ask, made } = await tab();
    const { entity, revision } = await made("/notes", { title: "Walls", markdown: "White" });
    const at = `/notes/${entity.id}`;
    await ask("PATCH", `${at}?revision=${revision}`, { markdown: "Blue" });
    const late = await ask("PATCH", `${at}?revision=${revision}`, { markdown: "Green" });
    expect(late).toMatchObject({ status: 409, json: { error: { code: "work_changed" } } });
    const seen = task.parse((await ask("GET", at)).json);
    expect(seen.entity).toMatchObject({ markdown: "Blue" });
    // Another field was not touched, and the same text is no other change.
    expect((await ask("PATCH", `${at}?revision=${revision}`, { title: "All walls" })).json).toMatchObject({
      entity: { title: "All walls", markdown: "Blue" },
    });
    expect((await ask("PATCH", `${at}?revision=${revision}`, { markdown: "Blue" })).status).toBe(200);
    // Whoever has seen what it is now may change it.
    expect((await ask("PATCH", `${at}?revision=${seen.revision}`, { markdown: "Green" })).json).toMatchObject({
      entity: { markdown: "Green" },
    });
  });

  it("what is gone meanwhile is told, and can be brought back", async () => {
    const { ask, made } = await tab();
    const { entity, revision } = await made("/memory", { fact: "Bea likes tea", source: "her own words" });
    const at = `/memory/${entity.id}`;
    await ask("DELETE", at);
    expect(await ask("PATCH", `${at}?revision=${revision}`, { fact: "Bea likes coffee" })).toMatchObject({
      status: 404,
      json: { error: { code: "memory_unknown" } },
    });
    expect((await ask("POST", `${at}/undo`, {})).json).toMatchObject({ title: "Bea likes tea", isGone: false });
    expect(await ask("POST", `${at}/undo`, { change: 999 })).toMatchObject({ status: 404 });
  });

  it.each([
    ["/tasks", { title: " " }, "value_invalid", "title", "title"],
    ["/tasks", { title: "A", due: "the other day" }, "date_invalid", "words", "due"],
    ["/tasks", { title: "A", due: "x".repeat(5_000) }, "date_invalid", "words", "due"],
    ["/tasks", { title: "A", due: "2026-02-30" }, "date_invalid", "day", "due"],
    ["/tasks", { title: "A", due: "32/13/2026" }, "date_invalid", "day", "due"],
    ["/tasks", { title: "A", due: "03/04/2026" }, "date_invalid", "twoWays", "due"],
    ["/tasks", { title: "A", due: "10000-01-01" }, "date_invalid", "words", "due"],
    ["/tasks", { title: "A", projectId: "prj_01JD0000000000000000000000" }, "project_unknown", undefined, undefined],
    ["/events", { title: "Fair" }, "value_invalid", "start", "start"],
    ["/events", { title: "Fair", start: "2026-11-27T25:00" }, "date_invalid", "time", "start"],
    ["/events", { title: "Fair", start: "2026-11-27T17:00", zone: "Mars/Base" }, "value_invalid", "zone", "zone"],
    ["/events", { title: "Fair", start: "2026-11-27T17:00", zone: "" }, "value_invalid", "zone", "zone"],
    ["/events", { title: "Fair", start: "2026-11-27T17:00", end: "16:00" }, "value_invalid", "end", "end"],
    ["/events", { title: "Fair", start: "2026-11-27T17:00", end: "25:00" }, "date_invalid", "time", "end"],
    ["/events", { title: "Fair", start: "2026-11-27", end: "16:00" }, "date_invalid", "endDay", "end"],
    ["/events", { title: "Fair", start: "2026-11-27", end: "-3" }, "date_invalid", "words", "end"],
    ["/notes", { title: "x".repeat(501) }, "value_invalid", "title", "title"],
    ["/people", { name: "Ada", addresses: Array.from({ length: 51 }, String) }, "value_invalid", "list", "addresses"],
    ["/memory", { fact: "" }, "value_invalid", "fact", "fact"],
  ] as const)(
    "%s %j is refused at its field with what is wrong, and nothing is kept",
    async (path, body, code, about, field) => {
      const { home, ask } = await tab();
      const { status, json } = await ask("POST", path, body);
      expect([400, 404]).toContain(status);
      expect(json).toMatchObject({ error: { code, ...(about !== undefined && { about, field }) } });
      expect(JSON.stringify(json).length).toBeLessThan(1_000);
      // Where nothing was given, the sentence has no gap.
      expect(json).not.toMatchObject({ error: { message: expect.stringMatching(/^\s|\s\s|\s[.;]/) } });
      expect(home.store.entityChanges.newest()).toBe(0);
      expect(home.problems).toEqual([]);
    },
  );

  it("a disk that is full says so, and keeps nothing by half", async () => {
    const { home, ask, made } = await tab();
    const { entity, revision } = await made("/notes", { title: "Walls" });
    const full = vi.spyOn(home.store.entityChanges, "add").mockImplementation(() => {
      throw new DeviceError("store_full");
    });
    for (const [method, path, body] of [
      ["POST", "/notes", { title: "More" }],
      ["PATCH", `/notes/${entity.id}?revision=${revision}`, { markdown: "long" }],
      ["DELETE", `/notes/${entity.id}`, undefined],
    ] as const)
      expect(await ask(method, path, body)).toMatchObject({ status: 503, json: { error: { code: "store_full" } } });
    full.mockRestore();
    expect(home.store.work.note.list()).toMatchObject([{ title: "Walls", markdown: "" }]);
  });

  it("says which proposal something came from, and finds by words without case and accents", async () => {
    const { home, ask } = await tab();
    const proposal = makeProposal(1, { rawSubject: "The roof" });
    home.store.proposals.add([proposal]);
    const times = { nowMs, notBefore: nowMs };
    const next = () => newFrameId(() => "01JD0000000000000000000001");
    approveInto(home.store, proposal.id, "task", { title: "Café" }, times, next);
    const { rows } = z
      .object({ rows: z.array(z.looseObject({ id: z.string() })) })
      .parse((await ask("POST", "/tasks/page", { words: "CAFE" })).json);
    expect(rows).toMatchObject([{ title: "Café", from: proposal.id }]);
    expect((await ask("GET", `/tasks/${rows[0]?.id}`)).json).toMatchObject({
      source: { id: proposal.id, subject: "The roof" },
    });
  });

  it("hears of what others change: another tab, the command line, a decision", async () => {
    const { home } = await tab();
    const token = await home.token();
    const answer = await fetch(`${home.served.origin}/api/events?after=new`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    await reader?.read();
    addEntity(home.store, "task", { title: "Answer Ada" }, 1);
    const { value } = (await reader?.read()) ?? {};
    expect(value).toContain('{"type":"work"}');
    await reader?.cancel();
  });
});

describe("tasks in a list", () => {
  it("are grouped by when they are due where the person is, and narrowed", () => {
    const { store, work } = inBerlin();
    const { id: projectId } = store.projects.add("Garden");
    for (const [title, due, priority] of [
      ["over", "2026-11-21", "none"],
      ["midnight here", "2026-11-22T23:30:00Z", "now"],
      ["today", "2026-11-22", "later"],
      ["week", "2026-11-28", "none"],
      ["later", "2026-11-29", "none"],
      ["some day", null, "soon"],
    ] as const)
      addEntity(store, "task", { title, due, priority, projectId: title === "week" ? projectId : null }, nowMs);
    const list = (request: Partial<Parameters<WorkUseCases["tasks"]>[0]> = {}) =>
      work.tasks({ status: "open", order: "due", words: "", from: 0, ...request }).rows;
    expect(list().map(({ title, group }) => `${group}: ${title}`)).toEqual([
      ...["overdue: over", "today: today", "week: midnight here", "week: week", "later: later", "none: some day"],
    ]);
    expect(list({ order: "priority" }).map(({ title }) => title)).toEqual([
      ...["midnight here", "some day", "today", "over", "week", "later"],
    ]);
    expect(list({ due: "week", projectId })).toMatchObject([{ title: "week", project: { name: "Garden" } }]);
    expect(list({ priority: "soon" })).toMatchObject([{ title: "some day" }]);
  });
});

describe("the calendar", () => {
  it("has days of 23 and 25 hours, and what takes place in them at the times clocks show here", () => {
    const { store, work } = inBerlin();
    const add = (title: string, start: string, end: string, zone: string) =>
      addEntity(store, "event", { title, start, end, zone }, 1);
    add("late", "2026-10-24T23:30:00", "2026-10-25T04:00:00", "Europe/Berlin");
    add("second two", "2026-10-25T01:30:00", "2026-10-25T01:45:00", "UTC");
    add("skipped", "2026-03-29T02:30:00", "2026-03-29T03:30:00", "Europe/Berlin");
    const on = (first: string, last: string) => work.calendar({ first, last, most: 4 }).days;
    expect(on("2026-10-24", "2026-10-26")).toMatchObject([
      { day: "2026-10-24", hours: 24, total: 1 },
      { day: "2026-10-25", hours: 25, total: 2, shown: [{ title: "late" }, { start: "2026-10-25T02:30:00" }] },
      { day: "2026-10-26", hours: 24, total: 0 },
    ]);
    expect(on("2026-03-29", "2026-03-29")).toMatchObject([{ hours: 23, total: 1 }]);
    expect(work.calendar({ first: "2026-03-29", last: "2026-03-29", most: 0 })).toMatchObject({
      today: "2026-11-22",
      days: [{ total: 1, shown: [] }],
    });
  });

  it("names a series not all of whose times are known, and says why with the series", async () => {
    const { store, work } = inBerlin();
    const times = { start: "2026-01-07T19:30:00", end: "2026-01-07T21:00:00", zone: "Europe/Berlin" };
    const recurrence = ["RRULE:FREQ=YEARLY;BYWEEKNO=48"];
    const made = Array.from({ length: 7 }, (_, n) =>
      addEntity(store, "event", { title: `Choir ${n}`, ...times, recurrence }, 1),
    );
    const { partlyKnown } = work.calendar({ first: "2026-11-01", last: "2026-11-30", most: 4 });
    expect(partlyKnown).toMatchObject({
      shown: [0, 1, 2, 3, 4].map((n) => ({ title: `Choir ${n}`, gap: "rule" })),
      more: 2,
    });
    expect(work.event.one(made[0]?.id ?? "")).toMatchObject({ gap: "rule" });
    const { gap } = work.event.one(addEntity(store, "event", { title: "Walk", ...times }, 1).id);
    expect(gap).toBeNull();
    const vevent = [
      "BEGIN:VEVENT",
      "UID:u",
      "SUMMARY:Fair",
      "DTSTART:20261127T170000Z",
      `${recurrence[0]}`,
      "END:VEVENT",
    ];
    const text = ["BEGIN:VCALENDAR", ...vevent, "END:VCALENDAR"].join("\r\n");
    expect(await work.take({ what: "events", bytes: sent(text) })).toMatchObject({
      added: 1,
      partlyKnown: { shown: [{ title: "Fair", gap: "rule" }], more: 0 },
    });
  });

  it("has an end and a beginning", () => {
    const { store, work } = inBerlin();
    const [start, end] = ["9999-12-31T22:00:00", "9999-12-31T23:59:00"];
    addEntity(store, "event", { title: "the end", start, end, zone: "America/New_York" }, 1);
    expect(work.calendar({ first: "9999-12-27", last: "9999-12-31", most: 4 }).days.at(-1)).toMatchObject({
      day: "9999-12-31",
      total: 1,
      hours: 24,
    });
    expect(work.calendar({ first: "0001-01-01", last: "0001-01-07", most: 4 }).days).toHaveLength(7);
  });

  it(`gives of a month of ${eventsAMonth} events what is shown, and the others page by page`, () => {
    const { store, work } = inBerlin();
    store.transaction(() => {
      for (let n = 0; n < eventsAMonth; n++) {
        const day = dayAfter("2026-11-01", n % 30);
        const [start, end] = [`${day}T10:00:00`, `${day}T11:00:00`];
        const row = { id: `evt_${String(n).padStart(26, "0")}`, uid: `u${n}`, title: `Event ${n}`, start, end };
        const more = { zone: "Europe/Berlin", isAllDay: false, place: "", people: [], note: "x".repeat(200) };
        const last = { status: "confirmed" as const, recurrenceId: "", sequence: 0, stampedAt: null, recurrence: [] };
        store.work.event.put({ ...row, ...more, ...last, sourceSuggestionId: null, createdAt: 1, updatedAt: 1 });
      }
    });
    const month = work.calendar({ first: "2026-10-26", last: "2026-12-06", most: 4 });
    expect(month.days.reduce((sum, { total }) => sum + total, 0)).toBe(eventsAMonth);
    expect(JSON.stringify(month).length).toBeLessThan(60_000);
    const day = work.day({ day: "2026-11-15", from: eventsAMonth / 30 - 100 });
    expect([day.total, day.rows.length]).toEqual([eventsAMonth / 30, 100]);
  });
});

describe("files of work", () => {
  it("are given as another program reads them, and taken again change nothing", async () => {
    const { ask, made } = await tab();
    const fair = await made("/events", { title: "Fair / west", start: "2026-11-27", end: "2026-11-29" });
    const again = await made("/events", { title: "Council", start: "2026-11-27T17:00", zone: "Europe/Berlin" });
    const all = await ask("POST", "/export", { what: "events" });
    expect(all.json).toMatchObject({ name: "Calendar.ics", type: "text/calendar" });
    const read = Object.values(ical.sync.parseICS(textIn(all.json))).filter((each) => each?.type === "VEVENT");
    expect(read).toHaveLength(2);
    expect((await ask("POST", "/export", { what: "events", id: fair.entity.id })).json).toMatchObject({
      name: "Fair west.ics",
    });
    const taken = await ask("POST", "/import", { what: "events", bytes: sent(textIn(all.json)) });
    expect(taken.json).toMatchObject({ added: 0, changed: 0, unchanged: 2, untaken: [] });
    expect(again.entity).toMatchObject({ zone: "Europe/Berlin" });
    expect(await ask("POST", "/import", { what: "events", bytes: sent("Dear Ada,") })).toMatchObject({
      status: 400,
      json: { error: { code: "import_invalid", about: "calendar" } },
    });

    await made("/tasks", { title: "Call Ada", due: "2026-11-27" });
    for (const [form, name, words] of [
      ["todo.txt", "todo.txt", "Call Ada due:2026-11-27"],
      ["markdown", "Tasks.md", "- [ ] Call Ada"],
    ] as const) {
      const { json } = await ask("POST", "/export", { what: "tasks", form });
      expect(json).toMatchObject({ name });
      expect(textIn(json)).toContain(words);
      expect((await ask("POST", "/import", { what: "tasks", form, bytes: sent(textIn(json)) })).json).toMatchObject({
        unchanged: 1,
        added: 0,
      });
    }
  });

  it("are taken in UTF-16, and with lines that are folded within a letter, as on the command line; what is neither is refused", async () => {
    const { ask } = await tab();
    const utf16 = Buffer.from("\ufeffGrüße an 東京\n", "utf16le");
    const take = (bytes: Buffer, what: object) => ask("POST", "/import", { ...what, bytes: sent(bytes) });
    const tasks = { what: "tasks", form: "todo.txt" };
    expect((await take(utf16, tasks)).json).toMatchObject({ added: 1 });
    expect((await take(Buffer.from(utf16).swap16(), tasks)).json).toMatchObject({ unchanged: 1 });
    const lines = ["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:1", "DTSTART:20261201T100000Z", "SUMMARY:Caf\xc3\r\n \xa9"];
    const folded = Buffer.from([...lines, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n"), "latin1");
    expect((await take(folded, { what: "events" })).json).toMatchObject({ added: 1, untaken: [] });
    const all = textIn((await ask("POST", "/export", { what: "events" })).json);
    expect(all).toContain("SUMMARY:Café\r\n");
    expect(textIn((await ask("POST", "/export", tasks)).json)).toContain("Grüße an 東京");
    expect(await take(Buffer.from("Grüße", "latin1"), tasks)).toMatchObject({
      status: 400,
      json: { error: { code: "import_invalid", about: "encoding" } },
    });
  });

  it("notes: one as Markdown, all as files of their own whatever they are called", async () => {
    const { ask, made } = await tab();
    const one = await made("/notes", { title: "../../Walls", markdown: "Blue" });
    for (const title of ["walls", "WALLS", "con"]) await made("/notes", { title });
    const { json } = await ask("POST", "/export", { what: "notes", id: one.entity.id });
    expect(json).toMatchObject({ name: "Walls.md", type: "text/markdown" });
    expect(textIn(json)).toBe("# ../../Walls\n\nBlue\n");
    const zip = file.parse((await ask("POST", "/export", { what: "notes" })).json);
    const files = Object.entries(unzipSync(Buffer.from(zip.bytes, "base64")));
    expect(files.map(([name]) => name)).toEqual(["Walls.md", "walls 2.md", "WALLS 3.md", "Note con.md"]);
    expect(files.map(([, bytes]) => strFromU8(bytes))[1]).toBe("# walls\n");
  });

  it("a note of a million letters is kept, one of more is refused in a sentence, and other requests stay small", async () => {
    const { home, ask, made } = await tab();
    const { entity } = await made("/notes", { title: "Long", markdown: "é".repeat(1_000_000) });
    expect((await ask("GET", `/notes/${entity.id}`)).status).toBe(200);
    const more = await ask("POST", "/notes", { title: "Longer", markdown: "x".repeat(1_000_001) });
    expect(more).toMatchObject({ status: 400, json: { error: { code: "value_invalid", about: "text" } } });
    const large = await home.ask("POST", "/api/search", {
      token: await home.token(),
      body: { words: "x".repeat(40_000) },
    });
    expect(large.status).toBe(413);
  });
});
