import process from "node:process";
import { expect, test } from "vitest";
import { weekAhead } from "../../../device/brief/days-ahead.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { dayAfter } from "../../../device/work/dates/zone.ts";
import type { CalendarEvent, Draft } from "../../../device/work/entities.ts";
import { occurrenceOn, occurrencesBetween } from "../../../device/work/occurrences.ts";
import { temporaryStore } from "../setting.ts";

const zone = "Europe/Berlin";
const timed = { start: "2026-10-01T19:30:00", end: "2026-10-01T21:30:00", zone };

function event(draft: Draft<"event">): CalendarEvent {
  return addEntity(temporaryStore(), "event", { title: "Choir", ...timed, ...draft }, 1);
}

/** Days of so many from 1 October 2026 on which it takes place. */
function days(each: CalendarEvent, most = 62): string[] {
  const all = Array.from({ length: most }, (_, after) => dayAfter("2026-10-01", after));
  return all.filter((day) => occurrenceOn(each, day, zone) !== undefined).map((day) => day.slice(5));
}

test.each([
  ["RRULE:FREQ=WEEKLY;UNTIL=20261022T173000Z", ["10-01", "10-08", "10-15", "10-22"]],
  ["RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;COUNT=4", ["10-01", "10-13", "10-15", "10-27"]],
  ["RRULE:FREQ=DAILY;INTERVAL=20", ["10-01", "10-21", "11-10", "11-30"]],
  ["RRULE:FREQ=MONTHLY", ["10-01", "11-01", "12-01"]],
  ["RRULE:FREQ=YEARLY", ["10-01"]],
  ["RRULE:FREQ=MONTHLY;BYDAY=1TH", ["10-01", "11-05"]],
  ["RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2", ["10-01", "10-30", "11-30"]],
  ["RRULE:FREQ=MONTHLY;BYMONTHDAY=-1", ["10-01", "10-31", "11-30"]],
  // A clock time later than that of UNTIL on its day.
  ["RRULE:FREQ=WEEKLY;UNTIL=20261022T170000Z", ["10-01", "10-08", "10-15"]],
  // What is not a matter of dividing: the first time alone, and no search without end.
  ["RRULE:FREQ=YEARLY;BYWEEKNO=41", ["10-01"]],
  ["RRULE:FREQ=HOURLY", ["10-01"]],
  ["RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", ["10-01"]],
])("RFC 5545: %s", (rule, wanted) => {
  expect(days(event({ recurrence: [rule] }))).toEqual(wanted);
});

test("RFC 5545: what is left out, and what is added, at the time clocks show there on that day", () => {
  const recurrence = [
    "RRULE:FREQ=WEEKLY;COUNT=5",
    "EXDATE;TZID=Europe/Berlin:20261008T193000",
    "RDATE:20261009T193000",
  ];
  const choir = event({ recurrence });
  expect(days(choir)).toEqual(["10-01", "10-09", "10-15", "10-22", "10-29"]);
  // Clocks are set back on 25 October 2026.
  expect(occurrenceOn(choir, "2026-10-29", zone)).toMatchObject({
    start: "2026-10-29T19:30:00",
    end: "2026-10-29T21:30:00",
  });
});

test("one that is late where it is takes place a day later elsewhere", () => {
  const late = event({
    start: "2026-10-01T23:00:00",
    end: "2026-10-01T23:30:00",
    zone: "America/New_York",
    recurrence: ["RRULE:FREQ=WEEKLY;COUNT=2"],
  });
  expect(days(late)).toEqual(["10-02", "10-09"]);
});

test("13: the week has a series where it takes place, and one of it that was moved where that is", () => {
  const choir = event({ uid: "choir", recurrence: ["RRULE:FREQ=WEEKLY"] });
  const moved = event({
    uid: "choir",
    recurrenceId: "2026-11-26T19:30:00",
    start: "2026-11-27T18:00:00",
    end: "2026-11-27T19:00:00",
  });
  const at = (iso: string) =>
    weekAhead([], [choir, moved], { nowMs: Date.parse(iso), zone }).days.map(({ day }) => day);
  expect(at("2026-11-13T12:00:00Z")).toEqual(["2026-11-19"]);
  expect(at("2026-11-22T12:00:00Z")).toEqual(["2026-11-27"]);
});

test("an event that ends at midnight elsewhere takes place on the day that shows here", () => {
  const times = { start: "2026-11-27T20:00:00", end: "2026-11-28T00:00:00", zone: "America/New_York" };
  expect(days(event(times), 90)).toEqual(["11-28"]);
  expect(days(event({ ...times, end: "2026-11-28T01:00:00" }), 90)).toEqual(["11-28"]);
  expect(days(event({ ...times, zone: "Europe/Berlin" }), 90)).toEqual(["11-27"]);
  // Midnight there is six in the morning here: a day later it takes place here as well.
  expect(days(event({ ...times, start: "2026-11-27T17:00:00" }), 90)).toEqual(["11-27", "11-28"]);
});

test("days of a calendar: series, what was moved, all days, and events of another zone, in order", () => {
  const choir = event({ uid: "choir", recurrence: ["RRULE:FREQ=WEEKLY;BYDAY=TH"] });
  const moved = { uid: "choir", recurrenceId: "2026-10-08T19:30:00", title: "Choir, moved" };
  const events = [
    choir,
    event({ ...moved, start: "2026-10-09T18:00:00", end: "2026-10-09T19:00:00" }),
    event({ title: "Fair", isAllDay: true, zone: null, start: "2026-10-07", end: "2026-10-10" }),
    event({ title: "Call", zone: "Asia/Tokyo", start: "2026-10-09T06:30:00", end: "2026-10-09T07:00:00" }),
    event({ title: "Elsewhen", start: "2026-10-20T10:00:00", end: "2026-10-20T11:00:00" }),
  ];
  const found = occurrencesBetween(events, { first: "2026-10-08", last: "2026-10-15" }, zone);
  expect(found.map(({ event: { title }, first, last }) => [title, first.slice(8), last.slice(8)])).toEqual([
    ["Fair", "07", "09"],
    ["Call", "08", "08"],
    ["Choir, moved", "09", "09"],
    ["Choir", "15", "15"],
  ]);
});

test("a month of 30,000 events and 1,000 series of strangers is worked out within a moment of CPU", () => {
  const plain = event({});
  const bomb = event({ recurrence: ["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=999999999"] });
  const events = Array.from({ length: 31_000 }, (_, n) => {
    const day = dayAfter("2026-11-01", n % 30);
    const times = { start: `${day}T10:00:00`, end: `${day}T11:00:00` };
    return n < 30_000 ? { ...plain, id: `evt_${n}`, ...times } : { ...bomb, id: `evt_${n}` };
  });
  const before = process.cpuUsage();
  const found = occurrencesBetween(events, { first: "2026-11-01", last: "2026-11-30" }, zone);
  const { user, system } = process.cpuUsage(before);
  expect(found).toHaveLength(30_000);
  expect((user + system) / 1e6).toBeLessThan(10);
});

test.each(["9999-12-31", "0001-01-01"])("the calendar has an end and a beginning: %s", (day) => {
  const edge = event({ start: `${day}T23:00:00`, end: `${day}T23:30:00`, zone: "America/New_York" });
  const found = occurrencesBetween([edge], { first: dayAfter(day, -1), last: dayAfter(day, 1) }, "Asia/Tokyo");
  expect(found).toHaveLength(1);
});
