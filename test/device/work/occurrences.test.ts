import { expect, test } from "vitest";
import { weekAhead } from "../../../device/brief/days-ahead.ts";
import { addEntity } from "../../../device/work/change-entities.ts";
import { dayAfter } from "../../../device/work/dates/zone.ts";
import type { CalendarEvent, Draft } from "../../../device/work/entities.ts";
import { occurrenceOn } from "../../../device/work/occurrences.ts";
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
  // What is not a matter of dividing: the first time alone, and no search without end.
  ["RRULE:FREQ=MONTHLY;BYDAY=1TH", ["10-01"]],
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
