import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runCommand } from "../../../cli/program.ts";
import { openDeviceStore } from "../../../device/store/open.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { addEntity, removeEntity } from "../../../device/work/change-entities.ts";
import type { CalendarEvent, Draft } from "../../../device/work/entities.ts";
import { offsetIn, zoneChanges, zoneOfTzid } from "../../../device/work/interchange/calendar-zones.ts";
import { importEvents } from "../../../device/work/interchange/import-events.ts";
import { readCalendar } from "../../../device/work/interchange/read-calendar.ts";
import { writeCalendar } from "../../../device/work/interchange/write-calendar.ts";
import { undoChange } from "../../../device/work/undo-change.ts";
import { rounds } from "../../rounds.ts";
import { Screen } from "../screen.ts";
import { temporaryFolder, temporaryStore } from "../setting.ts";

const calendar = (events: readonly string[], head = "") =>
  ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y", head, ...events, "END:VCALENDAR", ""]
    .filter((line) => line !== "")
    .join("\r\n");
const vevent = (...lines: readonly string[]) =>
  ["BEGIN:VEVENT", "UID:u1", "DTSTAMP:20261101T100000Z", "SUMMARY:Fair", ...lines, "END:VEVENT"].join("\r\n");

async function oneOf(...lines: string[]): Promise<Draft<"event">> {
  const { events, untaken } = await readCalendar(calendar([vevent(...lines)]));
  expect(untaken).toEqual([]);
  expect(events).toHaveLength(1);
  return events[0] ?? {};
}

const cases: readonly (readonly [what: string, lines: readonly string[], event: Draft<"event">])[] = [
  [
    "a time in a zone",
    ["DTSTART;TZID=Europe/Berlin:20261127T170000", "DTEND;TZID=Europe/Berlin:20261127T183000"],
    { start: "2026-11-27T17:00:00", end: "2026-11-27T18:30:00", zone: "Europe/Berlin", isAllDay: false },
  ],
  [
    "a zone by Outlook's name",
    ["DTSTART;TZID=W. Europe Standard Time:20261127T170000", "DTEND;TZID=W. Europe Standard Time:20261127T180000"],
    { start: "2026-11-27T17:00:00", zone: "Europe/Berlin" },
  ],
  [
    "a zone by a path",
    ["DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20261127T170000"],
    { start: "2026-11-27T17:00:00", end: "2026-11-27T17:00:00", zone: "Europe/Berlin" },
  ],
  [
    "an end in another zone",
    ["DTSTART;TZID=Europe/Berlin:20261127T170000", "DTEND;TZID=Asia/Tokyo:20261128T030000"],
    { start: "2026-11-27T17:00:00", end: "2026-11-27T19:00:00", zone: "Europe/Berlin" },
  ],
  ["UTC", ["DTSTART:20261127T170000Z", "DTEND:20261127T180000Z"], { start: "2026-11-27T17:00:00", zone: "UTC" }],
  ["a floating time", ["DTSTART:20261127T170000"], { start: "2026-11-27T17:00:00", zone: null, isAllDay: false }],
  ["a day", ["DTSTART;VALUE=DATE:20261127"], { start: "2026-11-27", end: "2026-11-28", isAllDay: true, zone: null }],
  [
    "days",
    ["DTSTART;VALUE=DATE:20261127", "DTEND;VALUE=DATE:20261130"],
    { start: "2026-11-27", end: "2026-11-30", isAllDay: true },
  ],
  ["a duration", ["DTSTART:20261127T170000Z", "DURATION:PT1H30M"], { end: "2026-11-27T18:30:00" }],
  ["a duration in days", ["DTSTART;VALUE=DATE:20261127", "DURATION:P2D"], { end: "2026-11-29" }],
  [
    "escapes and folding",
    ["DTSTART:20261127T170000Z", "LOCATION:Hall\\, Main St\\; 2", "DESCRIPTION:one\\ntwo \\\\ th", " ree"],
    { place: "Hall, Main St; 2", note: "one\ntwo \\ three" },
  ],
  [
    "who takes part",
    ["DTSTART:20261127T170000Z", 'ATTENDEE;CN="Ada, L.":mailto:ada@example.org', "ATTENDEE:mailto:bea@example.org"],
    { people: ["Ada, L.", "bea@example.org"] },
  ],
  [
    "a series",
    ["DTSTART:20261127T170000Z", "RRULE:FREQ=WEEKLY;COUNT=4"],
    { recurrence: ["RRULE:FREQ=WEEKLY;COUNT=4"] },
  ],
  ["a status", ["DTSTART:20261127T170000Z", "STATUS:TENTATIVE", "SEQUENCE:3"], { status: "tentative", sequence: 3 }],
];

test.each(cases)("%s is read as it is meant", async (_, lines, expected) => {
  expect(await oneOf(...lines)).toMatchObject(expected);
});

test.each([
  ["a zone nobody knows", ["DTSTART;TZID=Mars/Base:20261127T170000"], /Mars\/Base is not known/],
  ["30 February", ["DTSTART;VALUE=DATE:20260230"], /no day/],
  ["no start", [], /no start/],
  ["a time that does not exist", ["DTSTART:20261127T250000"], /no time/],
  ["30 February at ten", ["DTSTART;TZID=Asia/Tokyo:20260230T100000", "DTEND:20260301T100000Z"], /no day/],
  ["a duration of ages", ["DTSTART:20261127T170000Z", "DURATION:P999999999999D"], /duration/],
  ["a duration that ends before it begins", ["DTSTART:20261127T170000Z", "DURATION:-PT1H"], /duration/],
  ["a rule that is none", ["DTSTART:20261127T170000Z", "RRULE:FREQ=BANANA"], /not valid/],
])("an event with %s is told and not taken, the others are", async (_, lines, why) => {
  const other = vevent("DTSTART:20261127T170000Z").replace("UID:u1", "UID:u2");
  const read = await readCalendar(calendar([vevent(...lines), other]));
  expect(read.untaken).toEqual([{ title: "Fair", why: expect.stringMatching(why) }]);
  expect(read.events).toMatchObject([{ uid: "u2" }]);
});

test("an end before the start is refused when it is to be kept, and told", async () => {
  const refused = vevent("DTSTART:20261127T170000Z", "DTEND:20261127T160000Z");
  const taken = vevent("DTSTART:20261127T170000Z").replace("UID:u1", "UID:u2");
  const { added, untaken } = importEvents(temporaryStore(), await readCalendar(calendar([refused, taken])), 1);
  // Of a file of which the other was taken it is not said that nothing was changed.
  expect([added, untaken]).toEqual([
    1,
    [{ title: "Fair", why: "This event cannot be kept: its end lies before the start." }],
  ]);
});

test.each([
  ["nothing", ""],
  ["words", "Dear Ada,"],
  ["a contact", "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ada\r\nEND:VCARD\r\n"],
  ["a calendar cut off", "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:u"],
])("%s is no calendar", async (_, text) => {
  await expect(readCalendar(text)).rejects.toMatchObject({ code: "import_invalid" });
});

test("rules that would never end are kept and not worked out, in a series and in a zone", async () => {
  const bombs = ["FREQ=SECONDLY", "FREQ=SECONDLY;INTERVAL=1;COUNT=999999999", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"];
  const zone = [
    "BEGIN:VTIMEZONE",
    "TZID:Europe/Berlin",
    "BEGIN:STANDARD",
    "DTSTART:00010101T000000",
    "RRULE:FREQ=SECONDLY",
    "TZOFFSETFROM:+0100",
    "TZOFFSETTO:+0200",
    "END:STANDARD",
    "END:VTIMEZONE",
  ].join("\r\n");
  const start = "DTSTART;TZID=Europe/Berlin:20261127T170000";
  const events = bombs.map((bomb, at) => vevent(start, `RRULE:${bomb}`).replace("UID:u1", `UID:${at}`));
  const store = temporaryStore();
  const read = await readCalendar(calendar([zone, ...events]));
  const { partlyKnown, ...taken } = importEvents(store, read, 1);
  expect(taken).toMatchObject({ added: 3, untaken: [] });
  // By the second nothing is worked out, and whoever takes it is told; of the third all is known: there is no such day.
  expect(partlyKnown.map(({ id, gap }) => [store.work.event.find(id)?.uid, gap])).toEqual([
    ["0", "rule"],
    ["1", "rule"],
  ]);
  expect(importEvents(store, read, 1)).toMatchObject({ unchanged: 3, partlyKnown: [] });
  expect(store.work.event.list().map(({ recurrence }) => recurrence.length)).toEqual([1, 1, 1]);
  expect(await writeCalendar(store.work.event.list())).toContain("RRULE:FREQ=SECONDLY");
});

describe("revisions", () => {
  const revision = (sequence: number, stamp: string, title: string, method = "REQUEST") =>
    calendar(
      [
        vevent(`SEQUENCE:${sequence}`, "DTSTART:20261127T170000Z")
          .replace("20261101T100000Z", stamp)
          .replace("Fair", title),
      ],
      `METHOD:${method}`,
    );
  const orders = <T>(all: readonly T[]): T[][] =>
    all.length < 2
      ? [[...all]]
      : all.flatMap((one) => orders(all.filter((each) => each !== one)).map((rest) => [one, ...rest]));

  test.each([
    [
      "the highest SEQUENCE counts",
      [
        revision(0, "20261101T100000Z", "A"),
        revision(2, "20261101T090000Z", "C"),
        revision(1, "20261103T100000Z", "B"),
      ],
      { title: "C", sequence: 2, status: "confirmed" },
    ],
    [
      "of one SEQUENCE the one written last",
      [revision(1, "20261101T100000Z", "A"), revision(1, "20261102T100000Z", "B")],
      { title: "B" },
    ],
    [
      "a cancellation, also one that comes first",
      [revision(0, "20261101T100000Z", "A"), revision(1, "20261102T100000Z", "A", "CANCEL")],
      { status: "cancelled" },
    ],
    [
      "a cancellation written with the invitation",
      [revision(0, "20261101T100000Z", "A"), revision(0, "20261101T100000Z", "A", "CANCEL")],
      { status: "cancelled" },
    ],
  ])("%s, in whatever order they come and however often", async (_, files, expected) => {
    for (const order of orders(files)) {
      const store = temporaryStore();
      for (const file of [...order, ...order]) importEvents(store, await readCalendar(file), 1);
      expect(store.work.event.list()).toMatchObject([expected]);
    }
  });

  test("one of a series is kept beside it", async () => {
    const series = vevent("DTSTART:20261127T170000Z", "RRULE:FREQ=WEEKLY");
    const moved = vevent("RECURRENCE-ID:20261204T170000Z", "DTSTART:20261205T170000Z");
    const store = temporaryStore();
    importEvents(store, await readCalendar(calendar([series, moved])), 1);
    expect(store.work.event.list()).toMatchObject([{ recurrenceId: "" }, { recurrenceId: "2026-12-04T17:00:00Z" }]);
    expect(importEvents(store, await readCalendar(calendar([moved, series])), 2)).toMatchObject({ unchanged: 2 });
  });

  test("one of a series is the moment it names, whatever zone that is written in; a file says it in the event's own", async () => {
    const start = "DTSTART;TZID=Europe/Berlin:20261205T180000";
    const store = temporaryStore();
    for (const name of [
      "RECURRENCE-ID:20261204T160000Z",
      "RECURRENCE-ID;TZID=Asia/Tokyo:20261205T010000",
      "RECURRENCE-ID;TZID=Europe/Berlin:20261204T170000",
    ]) {
      importEvents(store, await readCalendar(calendar([vevent(name, start)])), 1);
    }
    expect(store.work.event.list()).toMatchObject([{ recurrenceId: "2026-12-04T16:00:00Z" }]);
    expect(await writeCalendar(store.work.event.list())).toContain("RECURRENCE-ID;TZID=Europe/Berlin:20261204T170000");
  });

  test.each([
    [
      "in another zone",
      "DTSTART;TZID=America/New_York:20261204T130000",
      "RECURRENCE-ID;TZID=America/New_York:20261204T110000",
    ],
    ["to last all day", "DTSTART;VALUE=DATE:20261204", "RECURRENCE-ID:20261204T160000Z"],
    ["to be wherever one is", "DTSTART:20261204T180000", "RECURRENCE-ID:20261204T160000Z"],
  ])("one of a series that is changed again, %s, is there once", async (_, start, written) => {
    const store = temporaryStore();
    const one = (name: string, ...lines: string[]) => readCalendar(calendar([vevent(name, ...lines)]));
    const name = "RECURRENCE-ID;TZID=Europe/Berlin:20261204T170000";
    importEvents(store, await one(name, "DTSTART;TZID=Europe/Berlin:20261205T180000"), 1);
    expect(importEvents(store, await one(name, start, "SEQUENCE:1"), 2)).toMatchObject({ added: 0, changed: 1 });
    const text = await writeCalendar(store.work.event.list());
    expect(text).toContain(written);
    expect(importEvents(store, await readCalendar(text), 3)).toMatchObject({ added: 0 });
  });

  test("one of a series that an earlier version kept in its own zone is the same one", async () => {
    const store = temporaryStore();
    const times = { start: "2026-12-05T18:00:00", end: "2026-12-05T19:00:00", zone: "Europe/Berlin" };
    addEntity(store, "event", { title: "A", uid: "u1", recurrenceId: "2026-12-04T17:00:00", ...times }, 1);
    const again = vevent("RECURRENCE-ID:20261204T160000Z", "DTSTART;TZID=Asia/Tokyo:20261205T180000", "SEQUENCE:1");
    importEvents(store, await readCalendar(calendar([again])), 2);
    expect(store.work.event.list()).toMatchObject([{ recurrenceId: "2026-12-04T16:00:00Z", zone: "Asia/Tokyo" }]);
  });

  test("what was taken away and taken from the file again does not come back a second time", async () => {
    const store = temporaryStore();
    const file = await readCalendar(revision(0, "20261101T100000Z", "A"));
    importEvents(store, file, 1);
    const id = store.work.event.list()[0]?.id ?? "";
    removeEntity(store, "event", id);
    importEvents(store, file, 2);
    expect(() => undoChange(store, "event", id)).toThrow(expect.objectContaining({ code: "change_superseded" }));
    expect(store.work.event.list()).toHaveLength(1);
  });
});

test("a zone's clocks are described as they change", () => {
  expect(zoneChanges(offsetIn("Europe/Berlin"), new Set([2026]))).toEqual([
    { at: "2026-01-01T00:00:00", from: 60, to: 60 },
    { at: "2026-03-29T02:00:00", from: 60, to: 120 },
    { at: "2026-10-25T03:00:00", from: 120, to: 60 },
  ]);
  expect(zoneChanges(offsetIn("Asia/Kolkata"), new Set([2027, 2026]))).toEqual([
    { at: "2026-01-01T00:00:00", from: 330, to: 330 },
  ]);
  expect(zoneOfTzid("Pacific Standard Time")).toBe("America/Los_Angeles");
  expect(zoneOfTzid("")).toBeUndefined();
  expect(zoneOfTzid("constructor")).toBeUndefined();
});

test("of a zone's clocks the years are looked at that something is in, and none between them", () => {
  const berlin = offsetIn("Europe/Berlin");
  let looks = 0;
  const counted = (ms: number) => {
    looks += 1;
    return berlin(ms);
  };
  expect(zoneChanges(counted, new Set([1, 2026, 9999]))).toEqual([
    { at: "0001-01-01T00:00:00", from: 53, to: 53 },
    { at: "2026-01-01T00:00:00", from: 60, to: 60 },
    { at: "2026-03-29T02:00:00", from: 60, to: 120 },
    { at: "2026-10-25T03:00:00", from: 120, to: 60 },
    { at: "9999-01-01T00:00:00", from: 60, to: 60 },
    { at: "9999-03-28T02:00:00", from: 60, to: 120 },
    { at: "9999-10-31T03:00:00", from: 120, to: 60 },
  ]);
  expect(looks).toBeLessThan(3 * 120);
  expect(zoneChanges(offsetIn("America/Boa_Vista"), new Set([2000])), "summer for a week").toHaveLength(4);
});

test("an event from the first year to the last is written and read with the clocks of both", async () => {
  const store = temporaryStore();
  const span = { start: "0001-06-01T08:00:00", end: "9999-06-01T09:00:00", zone: "Europe/Berlin" };
  const event = addEntity(store, "event", { title: "For ever", ...span }, 1);
  const file = await writeCalendar([event]);
  expect(file.match(/^BEGIN:(?:STANDARD|DAYLIGHT)/gm)).toHaveLength(4);
  expect((await readCalendar(file)).events).toMatchObject([span]);
});

test("no line of a calendar is longer than its 75 octets, those that go on one that is full included", async () => {
  const span = { start: "2026-11-27T17:00:00", end: "2026-11-27T18:00:00", zone: "Europe/Berlin" };
  const event = addEntity(temporaryStore(), "event", { title: "Fair", note: "a".repeat(400), ...span }, 1);
  const lines = (await writeCalendar([event])).split("\r\n").map((line) => Buffer.byteLength(line));
  expect(Math.max(...lines)).toBe(75);
});

test("P2: what is written is read again as it was, whatever the words and times", async () => {
  const words = (most: number) =>
    fc.string({ unit: "grapheme", maxLength: most }).map((text) => text.replace(/[\p{Cc}\p{Cs}]/gu, " ").trim());
  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));
  const time = fc.integer({ min: 0, max: 86_399 }).map((s) => new Date(s * 1_000).toISOString().slice(11, 19));
  const zones = ["Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC", null];
  const timed = fc
    .record({ day, time, zone: fc.constantFrom(...zones), hours: fc.integer({ min: 0, max: 72 }) })
    .map((each) => {
      const start = `${each.day}T${each.time}`;
      const end = new Date(Date.parse(`${start}Z`) + each.hours * 3_600_000).toISOString().slice(0, 19);
      return { start, end, zone: each.zone, isAllDay: false };
    });
  const allDay = fc.record({ day, days: fc.integer({ min: 1, max: 30 }) }).map((each) => ({
    start: each.day,
    end: new Date(Date.parse(each.day) + each.days * 86_400_000).toISOString().slice(0, 10),
    zone: null,
    isAllDay: true,
  }));
  const draft = fc
    .record({
      title: words(60).filter((text) => text !== ""),
      place: words(40),
      note: fc.array(words(50), { maxLength: 4 }).map((lines) => lines.join("\n")),
      people: fc.uniqueArray(
        words(20).filter((text) => text !== ""),
        { maxLength: 3 },
      ),
      status: fc.constantFrom("confirmed" as const, "tentative" as const, "cancelled" as const),
      sequence: fc.nat(9),
      stampedAt: fc.integer({ min: 1, max: 2_000_000_000 }).map((s) => s * 1_000),
      recurrence: fc.constantFrom<string[]>([], ["RRULE:FREQ=WEEKLY;COUNT=4"]),
      times: fc.oneof(timed, allDay),
    })
    .map(({ times, ...rest }): Draft<"event"> => ({ ...rest, ...times }));
  const [from, to] = [temporaryStore(), temporaryStore()];
  const own = ({ id, createdAt, updatedAt, ...said }: CalendarEvent) => said;
  await fc.assert(
    fc.asyncProperty(fc.array(draft, { minLength: 1, maxLength: 3 }), async (drafts) => {
      // What runs before have left would be listed by each run: a failure would take an hour to be made small.
      for (const { id } of to.work.event.list()) to.work.event.remove(id);
      const made = drafts.map((each) => addEntity(from, "event", each, 1));
      const file = await writeCalendar(made);
      for (const line of file.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      const read = await readCalendar(file);
      expect(importEvents(to, read, 2)).toMatchObject({ added: made.length, untaken: [] });
      const taken = new Map(to.work.event.list().map((event) => [event.uid, event]));
      for (const event of made) {
        const found = taken.get(event.uid);
        expect(found && own(found)).toEqual(own(event));
      }
      expect(importEvents(to, read, 3)).toMatchObject({ added: 0, changed: 0, unchanged: made.length });
    }),
    { numRuns: rounds(100) },
  );
});

test("the command line writes a calendar whole, takes it again without a change, and says what it did not take", async () => {
  const data = temporaryFolder();
  openDeviceStore({ ...systemTimeAndIds, dataFolder: data }).close();
  const scouts = async (...words: string[]) => {
    const [stdout, stderr] = [new Screen(), new Screen()];
    const io = { stdout, stderr, isTTY: true, color: false, signal: new AbortController().signal };
    const context = { io, environment: {}, workingFolder: data, ...systemTimeAndIds, zone: () => "Europe/Berlin" };
    const exit = await runCommand(["event", ...words, "--data", data], context, "1");
    return { exit, out: stdout.written, err: stderr.written };
  };
  await scouts("add", "Fair", "--start", "2026-11-27T17:00", "--place", "Hall");
  expect(await scouts("export", "--to", "own.ics")).toMatchObject({
    exit: 0,
    out: expect.stringMatching(/^written {2}1 event/),
  });
  const file = path.join(data, "own.ics");
  expect(readFileSync(file, "utf8")).toContain("DTSTART;TZID=Europe/Berlin:20261127T170000");
  expect((await scouts("import", "own.ics")).out).toBe("0 added, 0 changed, 1 known already, 0 of an older revision\n");
  writeFileSync(file, calendar([vevent("DTSTART;TZID=Mars/Base:20261127T170000")]));
  expect((await scouts("import", "own.ics")).out).toMatch(
    /^not taken {2}Fair: its time zone Mars\/Base is not known$/m,
  );
  writeFileSync(
    file,
    calendar([vevent("RECURRENCE-ID;RANGE=THISANDFUTURE:20261127T170000Z", "DTSTART:20261127T180000Z")]),
  );
  expect((await scouts("import", "own.ics")).out).toMatch(
    /^not taken {2}Fair: it changes one of a series and all later ones, which is not worked out here; /m,
  );
  const byWeeks = ["DTSTART;TZID=Europe/Berlin:20261127T170000", "RRULE:FREQ=YEARLY;BYWEEKNO=48"];
  writeFileSync(file, calendar([vevent(...byWeeks)]));
  expect((await scouts("import", "own.ics")).out).toMatch(
    /^taken, but {2}Fair: one of its rules or dates is not understood, so it may take place more often than is shown$/m,
  );
  expect(await scouts("import", "none.ics")).toMatchObject({
    exit: 1,
    err: expect.stringContaining("(import_invalid)"),
  });
  expect(await scouts("export", "--to", "no/such/folder.ics")).toMatchObject({
    err: expect.stringContaining("(export_failed)"),
  });
});
