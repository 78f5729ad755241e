import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { readInvitation } from "../../../device/categorize/calendar/read-invitation.ts";
import { addEntity, editEntity } from "../../../device/work/change-entities.ts";
import type { CalendarEvent, Draft } from "../../../device/work/entities.ts";
import { occurrencesBetween } from "../../../device/work/events/occurrences.ts";
import { importInParts } from "../../../device/work/interchange/import-events.ts";
import { readCalendar } from "../../../device/work/interchange/read-calendar.ts";
import { writeCalendar } from "../../../device/work/interchange/write-calendar.ts";
import { eventDraft } from "../../../device/work/said-drafts.ts";
import { temporaryStore } from "../setting.ts";

const zone = "Europe/Berlin";
const nowMs = Date.UTC(2026, 10, 22);
const made = (draft: Draft<"event">): CalendarEvent =>
  addEntity(temporaryStore(), "event", { title: "Choir", zone, ...draft }, nowMs);

/** When times of a series begin, by a program that goes by what the file says alone, its VTIMEZONE too. */
async function momentsElsewhere(event: CalendarEvent, from: string, most: number): Promise<string[]> {
  const calendar = new ICAL.Component(ICAL.parse(await writeCalendar([event])));
  const series = calendar.getFirstSubcomponent("vevent");
  if (series === null) return [];
  const times = new ICAL.Event(series).iterator();
  const found: string[] = [];
  for (let time = times.next(); time !== null && time !== undefined && found.length < most; time = times.next()) {
    const at = new Date(time.toUnixTime() * 1_000).toISOString();
    if (at >= from) found.push(at);
  }
  return found;
}

test.each([
  ["that began long ago", "2010-01-07"],
  ["that begins now", "2026-01-08"],
])("a series %s is at its time also in a summer of today, for who goes by the zone in the file", async (_, day) => {
  const times = { start: `${day}T19:30:00`, end: `${day}T21:00:00` };
  const choir = made({ ...times, recurrence: ["RRULE:FREQ=WEEKLY"] });
  expect(await momentsElsewhere(choir, "2026-07-01", 1)).toEqual(["2026-07-02T17:30:00.000Z"]);
  expect(await momentsElsewhere(choir, "2026-12-01", 1)).toEqual(["2026-12-03T18:30:00.000Z"]);
});

test("a series of the year 1 describes no two thousand years of its zone", async () => {
  const text = await writeCalendar([
    made({ start: "0001-01-04T10:00:00", end: "0001-01-04T11:00:00", recurrence: ["RRULE:FREQ=YEARLY"] }),
  ]);
  expect(text.length).toBeLessThan(20_000);
});

test("what is left out of a series stays left out elsewhere when the series is at another time, or lasts all day", async () => {
  const times = { start: "2026-12-03T19:30:00", end: "2026-12-03T21:00:00" };
  const leftOut = ["EXDATE;TZID=Europe/Berlin:20261210T193000", "EXDATE;VALUE=DATE:20261224"];
  const choir = made({ ...times, recurrence: ["RRULE:FREQ=WEEKLY;COUNT=5", ...leftOut] });
  const here = { nowMs, zone };
  for (const start of ["2026-12-03T20:00", "2026-12-03"]) {
    const moved = { ...choir, ...(await eventDraft({ start }, here, choir)) };
    const ours = occurrencesBetween([moved], { first: "2026-12-01", last: "2027-01-31" }, zone);
    const days = ours.map(({ first }) => first);
    expect(days).toEqual(["2026-12-03", "2026-12-17", "2026-12-31"]);
    expect((await momentsElsewhere(moved, "2026", 9)).map((at) => at.slice(0, 10))).toEqual(days);
    const [again] = (await readCalendar(await writeCalendar([moved]))).events;
    const same = occurrencesBetween([{ ...moved, ...again }], { first: "2026-12-01", last: "2027-01-31" }, zone);
    expect(same.map(({ first }) => first)).toEqual(days);
  }
});

test("words with the line ends of another system, and signs that no file may have, are written as lines of text", async () => {
  const note = "one\r\ntwo\rthree\u0000\u0007\u001b[31m\tfour\u2028five";
  const text = await writeCalendar([
    made({ start: "2026-12-03", end: "2026-12-04", isAllDay: true, zone: null, note }),
  ]);
  expect(text.replaceAll("\r\n", "")).not.toMatch(/(?!\t)\p{Cc}/u);
  const [read] = (await readCalendar(text)).events;
  expect(read?.note).toBe("one\ntwo\nthree[31m\tfour\u2028five");
});

test.each([
  ["of an old Mac", "\r"],
  ["that were made twice", "\r\r\n"],
  ["of Unix", "\n"],
])("a calendar with line ends %s is read", async (_, lineEnd) => {
  const choir = made({
    ...{ start: "2026-12-03T19:30:00", end: "2026-12-03T21:00:00", recurrence: ["RRULE:FREQ=WEEKLY"] },
    note: "a long text that is folded ".repeat(10).trim(),
  });
  const { events, untaken } = await readCalendar((await writeCalendar([choir])).replaceAll("\r\n", lineEnd));
  expect(untaken).toEqual([]);
  expect(events).toMatchObject([
    { title: "Choir", start: choir.start, recurrence: choir.recurrence, note: choir.note },
  ]);
});

test("a calendar that is imported once more leaves what its person has changed since; a later revision counts", async () => {
  const store = temporaryStore();
  const first = await readCalendar(
    await writeCalendar([made({ start: "2026-12-03T19:30:00", end: "2026-12-03T21:00:00" })]),
  );
  await importInParts(store, first, nowMs);
  const [event] = store.work.event.list();
  if (event === undefined) throw new Error("no event");
  editEntity(store, "event", event.id, { place: "Hall 2" }, nowMs + 1);
  expect(await importInParts(store, first, nowMs + 2)).toMatchObject({ changed: 0, outdated: 1 });
  expect(store.work.event.list()).toMatchObject([{ place: "Hall 2" }]);
  const later = { ...first, events: first.events.map((each) => ({ ...each, sequence: 1, title: "Choir, later" })) };
  expect(await importInParts(store, later, nowMs + 3)).toMatchObject({ changed: 1 });
  expect(store.work.event.list()).toMatchObject([{ title: "Choir, later" }]);
});

/** A daily series of three hundred days that are left out, but for the first and what follows. */
function exceptional(name: (values: readonly string[]) => readonly string[]): string {
  const days = Array.from({ length: 300 }, (_, n) => new Date(Date.UTC(2026, 11, 4 + n)).toISOString().slice(0, 10));
  const lines = ["DTSTART;TZID=Europe/Berlin:20261203T193000", "RRULE:FREQ=DAILY"];
  const leftOut = name(days.map((day) => `${day.replaceAll("-", "")}T193000`));
  const vevent = ["BEGIN:VEVENT", "UID:u1", "DTSTAMP:20261101T100000Z", "SUMMARY:Choir", ...lines, ...leftOut];
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...vevent, "END:VEVENT", "END:VCALENDAR", ""].join("\r\n");
}

describe.each([
  ["in one line", exceptional((values) => [`EXDATE;TZID=Europe/Berlin:${values.join(",")}`])],
  ["in a line each", exceptional((values) => values.map((value) => `EXDATE;TZID=Europe/Berlin:${value}`))],
])("three hundred exceptions of a series, %s", (_, file) => {
  const days = ["2026-12-03", "2027-09-30", "2027-10-01"];
  const range = { first: "2026-12-01", last: "2027-10-01" };

  test("are taken from a file, all of them", async () => {
    const store = temporaryStore();
    expect(await importInParts(store, await readCalendar(file), nowMs)).toMatchObject({ added: 1, untaken: [] });
    expect(occurrencesBetween(store.work.event.list(), range, zone).map(({ first }) => first)).toEqual(days);
  });

  test("are known of an invitation, all of them", async () => {
    const revision = (await readInvitation(file))?.revision;
    const event = made({ start: "2026-12-03T19:30:00", end: "2026-12-03T20:30:00" });
    const series = { ...event, recurrence: [...(revision?.recurrence ?? [])] };
    expect(occurrencesBetween([series], range, zone).map(({ first }) => first)).toEqual(days);
    expect(series.recurrence.length).toBeLessThanOrEqual(50);
  });
});

test("a calendar of many years in zones of its own names is taken whole", async () => {
  const observance = (kind: string, day: string, month: number, from: string, to: string) => [
    `BEGIN:${kind}`,
    `DTSTART:1970${day}`,
    `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=-1SU`,
    ...[`TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, `END:${kind}`],
  ];
  const zoneNamed = (name: string) => [
    ...["BEGIN:VTIMEZONE", `TZID:${name}`],
    ...observance("STANDARD", "1025T030000", 10, "+0200", "+0100"),
    ...observance("DAYLIGHT", "0329T020000", 3, "+0100", "+0200"),
    "END:VTIMEZONE",
  ];
  const names = ["Our office", "Our shop"];
  const events = Array.from({ length: 24 }, (_, n) => [
    ...["BEGIN:VEVENT", `UID:${n}`, "DTSTAMP:20261101T100000Z", "SUMMARY:Fair"],
    `DTSTART;TZID=${names[n % 2]}:${2003 + n}0704T100000`,
    "END:VEVENT",
  ]).flat();
  const file = ["BEGIN:VCALENDAR", "VERSION:2.0", ...names.flatMap(zoneNamed), ...events, "END:VCALENDAR", ""];
  const read = await readCalendar(file.join("\r\n"));
  expect(read.untaken).toEqual([]);
  expect(new Set(read.events.map((each) => each.zone)).size).toBe(1);
});
