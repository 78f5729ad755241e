import process from "node:process";
import { describe, expect, test } from "vitest";
import { weekAhead } from "../../../device/brief/days-ahead.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { dayAfter } from "../../../device/work/dates/zone.ts";
import type { CalendarEvent, Draft } from "../../../device/work/entities.ts";
import {
  apartFrom,
  nextOccurrence,
  occurrencesBetween,
  upcomingEvents,
} from "../../../device/work/events/occurrences.ts";
import { shownTimes } from "../../../device/work/events/shown-times.ts";
import { gapOf } from "../../../device/work/recurrence/partly-known.ts";
import { seriesOf } from "../../../device/work/recurrence/series.ts";
import { mostSteps } from "../../../device/work/recurrence/steps.ts";
import { eventDraft } from "../../../device/work/said-drafts.ts";
import { temporaryStore } from "../setting.ts";

const zone = "Europe/Berlin";
const timed = { start: "2026-10-01T19:30:00", end: "2026-10-01T21:30:00", zone };

function event(draft: Draft<"event">): CalendarEvent {
  return addEntity(temporaryStore(), "event", { title: "Choir", ...timed, ...draft }, 1);
}

/** Days of so many from 1 October 2026 on which it takes place. */
function days(each: CalendarEvent, most = 62): string[] {
  const all = Array.from({ length: most }, (_, after) => dayAfter("2026-10-01", after));
  const found = occurrencesBetween([each], { first: "2026-10-01", last: all.at(-1) ?? "" }, zone);
  const isOn = (day: string) => found.some(({ first, last }) => first <= day && day <= last);
  return all.filter(isOn).map((day) => day.slice(5));
}

/** When times of it begin in November 2026. */
function starts(...events: readonly CalendarEvent[]): string[] {
  const found = occurrencesBetween(events, { first: "2026-11-01", last: "2026-11-30" }, zone);
  return found.map(({ event: { title, start } }) => `${title === "Choir" ? "" : `${title} `}${start.slice(5, 16)}`);
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
  expect(occurrencesBetween([choir], { first: "2026-10-29", last: "2026-10-29" }, zone)).toMatchObject([
    { event: { start: "2026-10-29T19:30:00", end: "2026-10-29T21:30:00" } },
  ]);
});

describe("a time that is added is at that time, and what is left out the one that is named", () => {
  const daily = { start: "2026-11-27T10:00:00", end: "2026-11-27T11:00:00", zone };
  const rule = "RRULE:FREQ=DAILY;COUNT=3";
  const [friday, saturday, sunday] = ["11-27T10:00", "11-28T10:00", "11-29T10:00"];
  const extra = "RDATE;TZID=Europe/Berlin:20261128T150000";

  test.each<readonly [what: string, lines: readonly string[], wanted: readonly (string | undefined)[]]>([
    ["alone", [extra], [friday, "11-28T15:00"]],
    ["beside a rule", [rule, extra], [friday, saturday, "11-28T15:00", sunday]],
    ["in UTC", ["RDATE:20261128T140000Z"], [friday, "11-28T15:00"]],
    ["in UTC by its name", ["RDATE;TZID=UTC:20261128T140000"], [friday, "11-28T15:00"]],
    ["in another zone", ['RDATE;TZID="America/New_York":20261128T200000'], [friday, "11-29T02:00"]],
    ["by Outlook's name of a zone", ["RDATE;TZID=Tokyo Standard Time:20261128T230000"], [friday, "11-28T15:00"]],
    ["as a day", ["RDATE;VALUE=DATE:20261128"], [friday, saturday]],
    ["as a period", ["RDATE;VALUE=PERIOD:20261128T150000/PT2H"], [friday, "11-28T15:00"]],
    ["and left out again", [rule, extra, "EXDATE:20261128T140000Z"], [friday, saturday, sunday]],
    ["of one day the other left out", [rule, extra, "EXDATE:20261128T100000"], [friday, "11-28T15:00", sunday]],
    ["all of a day left out", [rule, extra, "EXDATE;VALUE=DATE:20261128"], [friday, sunday]],
    // The series was moved to another hour here, and its lines are as they were.
    ["left out at a time it had before", [rule, "EXDATE:20261128T093000"], [friday, sunday]],
    ["twice", [extra, extra], [friday, "11-28T15:00"]],
  ])("%s", (_, recurrence, wanted) => {
    expect(starts(event({ ...daily, recurrence: [...recurrence] }))).toEqual(wanted);
  });

  test("one that lasts all day is added and left out by its day, whatever time stands beside it", () => {
    const fair = { isAllDay: true, zone: null, start: "2026-11-27", end: "2026-11-28" };
    const recurrence = [rule, "RDATE:20261130T000000", "EXDATE:20261128T000000"];
    expect(starts(event({ ...fair, recurrence }))).toEqual(["11-27", "11-29", "11-30"]);
  });

  test("one that was moved stands for the time it names, in whatever zone, and not for the other of its day", () => {
    const recurrence = [rule, extra];
    const at = { start: "2026-11-30T18:00:00", end: "2026-11-30T19:00:00" };
    const moved = (recurrenceId: string, there = zone) =>
      event({ ...at, title: "Moved", zone: there, uid: "choir", recurrenceId });
    const choir = event({ ...daily, uid: "choir", recurrence });
    const second = moved("2026-11-28T15:00:00");
    expect(starts(choir, second)).toEqual([friday, saturday, sunday, "Moved 11-30T18:00"]);
    const first = moved("2026-11-28T18:00:00", "Asia/Tokyo");
    expect(starts(choir, first)).toEqual([friday, "11-28T15:00", sunday, "Moved 11-30T18:00"]);
  });

  test("the next time is the later one of today, when the first is over", () => {
    const choir = event({ ...daily, recurrence: [rule, extra] });
    const isAhead = ({ start }: CalendarEvent) => start > "2026-11-28T12:00:00";
    expect(nextOccurrence(choir, "2026-11-28", zone, apartFrom([choir]), isAhead)?.start).toBe("2026-11-28T15:00:00");
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

describe("what a stranger wrote", () => {
  const everyDay = "BYDAY=MO,TU,WE,TH,FR,SA,SU";
  const dates = (count: number, time = "") =>
    Array.from({ length: count }, (_, n) => `${dayAfter("2000-01-01", n).replaceAll("-", "")}${time}`).join(",");
  const old = { start: "1977-01-01T10:00:00", end: "1977-01-01T11:00:00", zone };

  /** What it takes to work a series out and to find its next time. */
  function taken(recurrence: string[]) {
    const bomb = { ...event({ ...old }), recurrence };
    const next = nextOccurrence(bomb, "2026-11-27", zone, apartFrom([bomb]))?.start ?? null;
    return { next, gap: gapOf(bomb), steps: seriesOf(bomb).steps.spent };
  }

  // Half a century a day at a time, of which each is looked for in its year, was six million.
  test.each<readonly [rule: string, next: string | null]>([
    [`FREQ=YEARLY;${everyDay};BYSETPOS=200;COUNT=9999`, "2027-07-19T10:00:00"],
    [`FREQ=YEARLY;${everyDay};BYSETPOS=400`, null],
    [`FREQ=MONTHLY;${everyDay};BYSETPOS=-1;COUNT=9999`, "2026-11-30T10:00:00"],
    [`FREQ=WEEKLY;BYMONTHDAY=13;${everyDay};BYSETPOS=1;COUNT=9999`, "2026-12-13T10:00:00"],
    ["FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=999999999", null],
    ["FREQ=YEARLY;COUNT=9999", "2027-01-01T10:00:00"],
    ["FREQ=YEARLY;INTERVAL=999999999;BYDAY=MO;COUNT=9999", null],
  ])("%s is worked out in fewer steps than an event has, and wholly", (rule, next) => {
    const { steps, ...rest } = taken([`RRULE:${rule}`]);
    expect(rest).toEqual({ next, gap: null });
    expect(steps).toBeLessThan(mostSteps);
  });

  test.each<readonly [what: string, recurrence: string[]]>([
    ["rules", Array.from({ length: 1_000 }, (_, n) => `RRULE:FREQ=YEARLY;${everyDay};BYSETPOS=${n};COUNT=9999`)],
    ["days that are added", Array.from({ length: 1_000 }, () => `RDATE:${dates(220)}`)],
    [
      "times that are left out",
      ["RRULE:FREQ=DAILY", ...Array.from({ length: 1_000 }, () => `EXDATE:${dates(110, "T100000Z")}`)],
    ],
    ["names of zones", Array.from({ length: 1_000 }, (_, n) => `EXDATE;TZID=${"x/".repeat(900)}${n}:20261127T100000`)],
  ])("of more %s than are worked out the first time alone is known, and that is said", (_, recurrence) => {
    const { gap, steps } = taken(recurrence);
    expect(gap).toBe("steps");
    expect(steps).toBeLessThan(2 * mostSteps);
    expect(starts({ ...event({ ...old }), recurrence })).toEqual([]);
    expect(starts({ ...event({ start: "2026-11-05T10:00:00", end: "2026-11-05T11:00:00" }), recurrence })).toEqual([
      "11-05T10:00",
    ]);
  });

  test.each([
    ["a week of the year", ["RRULE:FREQ=YEARLY;BYWEEKNO=41"]],
    ["hours", ["RRULE:FREQ=HOURLY"]],
    ["a position within a day", ["RRULE:FREQ=DAILY;BYSETPOS=2"]],
    ["an end that is no day", ["RRULE:FREQ=DAILY;UNTIL=soon"]],
    ["no number", ["RRULE:FREQ=DAILY;COUNT=many"]],
    ["a date that is none", ["RRULE:FREQ=DAILY", "EXDATE:2026"]],
  ])("what names %s is said not to be understood, and the rest counts", (_, recurrence) => {
    const course = event({ recurrence: [...recurrence, "RDATE:20261110T193000"] });
    expect(gapOf(course)).toBe("rule");
    expect(starts(course)).toContain("11-10T19:30");
  });

  test("what a series is worked out of is looked at once, however often it is listed", () => {
    const choir = event({ recurrence: ["RRULE:FREQ=WEEKLY"] });
    expect(seriesOf(choir)).toBe(seriesOf(choir));
  });

  test("a month of 30,000 events and 1,000 series is worked out within a moment of CPU", () => {
    const plain = event({});
    const bomb = event({ ...old, recurrence: [`RRULE:FREQ=YEARLY;${everyDay};BYSETPOS=400;COUNT=9999`] });
    const events = Array.from({ length: 31_000 }, (_, n) => {
      const day = dayAfter("2026-11-01", n % 30);
      const times = { start: `${day}T10:00:00`, end: `${day}T11:00:00` };
      return n < 30_000 ? { ...plain, id: `evt_${n}`, ...times } : { ...bomb, id: `evt_${n}` };
    });
    const before = process.cpuUsage();
    const found = occurrencesBetween(events, { first: "2026-11-01", last: "2026-11-30" }, zone);
    const { user, system } = process.cpuUsage(before);
    expect(found).toHaveLength(30_000);
    // One such series alone took that long.
    expect((user + system) / 1e6).toBeLessThan(20);
  });
});

test.each(["9999-12-31", "0001-01-01"])("the calendar has an end and a beginning: %s", (day) => {
  const edge = event({ start: `${day}T23:00:00`, end: `${day}T23:30:00`, zone: "America/New_York" });
  const found = occurrencesBetween([edge], { first: dayAfter(day, -1), last: dayAfter(day, 1) }, "Asia/Tokyo");
  expect(found).toHaveLength(1);
});

test("events of several zones stand in the order in which they begin, not in that of what clocks show there", () => {
  const at = (title: string, place: string | null) =>
    event({ title, start: "2026-11-10T10:00:00", end: "2026-11-10T11:00:00", zone: place });
  const events = [at("New York", "America/New_York"), at("here", null), at("Kolkata", "Asia/Kolkata")];
  const inOrder = ["Kolkata", "here", "New York"];
  const day = { first: "2026-11-10", last: "2026-11-10" };
  expect(occurrencesBetween(events, day, zone).map(({ event: { title } }) => title)).toEqual(inOrder);
  const now = { nowMs: Date.parse("2026-11-09T10:00:00Z"), zone };
  expect(upcomingEvents(events, now).map(({ title }) => title)).toEqual(inOrder);
});

test.each([
  [1, "cancelled"],
  [3, "confirmed"],
] as const)(
  "one of a series that was moved by revision %i is %s when revision 2 cancels the series",
  (sequence, status) => {
    const series = event({ uid: "choir", recurrence: ["RRULE:FREQ=WEEKLY"], sequence: 2, status: "cancelled" });
    const moved = { start: "2026-11-06T19:30:00", end: "2026-11-06T21:30:00", sequence };
    const one = event({ ...moved, uid: "choir", recurrenceId: "2026-11-05T19:30:00" });
    const day = { first: "2026-11-06", last: "2026-11-06" };
    expect(occurrencesBetween([series, one], day, zone).map((each) => each.event.status)).toEqual([status]);
    const now = { nowMs: Date.parse("2026-11-01T10:00:00Z"), zone };
    const listed = upcomingEvents([series, one], now).filter(({ id }) => id === one.id);
    expect(listed.map((each) => each.status)).toEqual([status]);
  },
);

test("one of a series that is given another zone stands for the same time of it as before", async () => {
  const series = event({ uid: "choir", recurrence: ["RRULE:FREQ=WEEKLY;UNTIL=20261112T230000Z"] });
  const one = event({ uid: "choir", recurrenceId: "2026-11-05T19:30:00", title: "Late" });
  const here = { nowMs: Date.parse("2026-11-01T10:00:00Z"), zone };
  const said = { start: "2026-11-05T15:30", zone: "America/New_York" };
  const edited = { ...one, ...(await eventDraft(said, here, one)) };
  expect(edited).toMatchObject({ zone: "America/New_York", recurrenceId: "2026-11-05T18:30:00Z" });
  expect(starts(series, edited)).toEqual(["Late 11-05T15:30", "11-12T19:30"]);
});

describe("when an event is, to a person in Berlin", () => {
  const times = { start: "2026-12-03T19:30:00", end: "2026-12-03T21:00:00", isAllDay: false };
  test.each([
    ["is as their clocks show it", { ...times, zone }, "2026-12-03 19:30-21:00"],
    ["where one is", { ...times, zone: null }, "2026-12-03 19:30-21:00"],
    [
      "elsewhere, with its own time",
      { ...times, zone: "Europe/London" },
      "2026-12-03 20:30-22:00 (19:30 Europe/London)",
    ],
    [
      "elsewhere, on another day",
      { ...times, zone: "America/New_York" },
      "2026-12-04 01:30-03:00 (2026-12-03 19:30 America/New_York)",
    ],
    ["as a program in UTC writes it", { ...times, zone: "UTC" }, "2026-12-03 20:30-22:00"],
    [
      "over midnight",
      { ...times, start: "2026-12-03T23:30:00", end: "2026-12-04T01:00:00", zone },
      "2026-12-03 23:30-2026-12-04 01:00",
    ],
    ["without an end", { ...times, end: times.start, zone }, "2026-12-03 19:30"],
    ["all day", { start: "2026-12-03", end: "2026-12-05", isAllDay: true, zone: null }, "2026-12-03 to 2026-12-04"],
  ])("%s", (_, event, shown) => {
    expect(shownTimes(event, zone)).toBe(shown);
  });
});

test("the brief's week has a series of several days on each of them, also where it began before; of one that overlaps itself the newest", () => {
  const here = { nowMs: Date.parse("2026-11-25T12:00:00Z"), zone };
  const weekOf = (draft: Draft<"event">) =>
    weekAhead([], [event(draft)], here).days.flatMap(({ day, events }) =>
      events.map(({ start }) => `${day.slice(5)} ${start.slice(5, 16)}`),
    );
  const onCall = { start: "2026-11-09", end: "2026-11-14", zone: null, isAllDay: true };
  // Every second week from Monday to Friday.
  expect(weekOf({ ...onCall, recurrence: ["RRULE:FREQ=WEEKLY;INTERVAL=2"] })).toEqual([
    "11-25 11-23",
    "11-26 11-23",
    "11-27 11-23",
  ]);
  const nights = { start: "2026-11-09T22:00:00", end: "2026-11-10T06:00:00", recurrence: ["RRULE:FREQ=DAILY"] };
  expect(weekOf(nights)).toHaveLength(7);
  expect(weekOf(nights).slice(0, 2)).toEqual(["11-25 11-25T22:00", "11-26 11-26T22:00"]);
  const twice = { start: "2026-11-25T08:00:00", end: "2026-11-25T09:00:00", recurrence: ["RDATE:20261125T180000"] };
  expect(weekOf(twice)).toHaveLength(2);
});

test("a series whose times last longer than a month takes place to their end", () => {
  const holidays = event({
    ...{ start: "2025-07-14", end: "2025-08-28", zone: null, isAllDay: true },
    recurrence: ["RRULE:FREQ=YEARLY"],
  });
  const found = occurrencesBetween([holidays], { first: "2026-08-27", last: "2026-08-28" }, zone);
  expect(found).toMatchObject([{ first: "2026-07-14", last: "2026-08-27" }]);
  const here = { nowMs: Date.parse("2026-08-27T12:00:00Z"), zone };
  expect(upcomingEvents([holidays], here)).toMatchObject([{ start: "2026-07-14" }]);
  // Of one that overlaps itself no more than a month of them.
  const always = event({ ...timed, end: "2027-10-01T21:30:00", recurrence: ["RRULE:FREQ=DAILY"] });
  expect(occurrencesBetween([always], { first: "2028-08-27", last: "2028-08-27" }, zone).length).toBeLessThan(40);
});

test.each([
  ["to a later time", "2026-10-01T20:30", ["10-01", "10-08", "10-15"]],
  ["to an earlier time", "2026-10-01T18:30", ["10-01", "10-08", "10-15"]],
  ["to the next day", "2026-10-02T19:30", ["10-02", "10-09", "10-16"]],
  ["to last all day", "2026-10-01", ["10-01", "10-08", "10-15"]],
])("a series that a person moves %s has as many times as before", async (_, start, wanted) => {
  // Until the moment of its last time, as programs write it.
  const choir = event({ recurrence: ["RRULE:FREQ=WEEKLY;UNTIL=20261015T173000Z"] });
  const draft = await eventDraft({ start }, { nowMs: 1, zone }, choir);
  expect(days({ ...choir, ...draft })).toEqual(wanted);
  expect(await eventDraft({ place: "Hall" }, { nowMs: 1, zone }, choir)).not.toHaveProperty("recurrence");
});
