import { expect, test } from "vitest";
import { addEntity } from "../../../device/work/change-entities.ts";
import type { CalendarEvent } from "../../../device/work/entities.ts";
import { occurrencesBetween } from "../../../device/work/events/occurrences.ts";
import { eventDraft } from "../../../device/work/said-drafts.ts";
import { temporaryStore } from "../setting.ts";

const zone = "Europe/Berlin";
const nowMs = Date.UTC(2026, 9, 1);

/** The days of a series of October that is moved, as far as the end of the year. */
async function movedDays(start: string, recurrence: readonly string[], to: string): Promise<string[]> {
  const times = { start: `${start}T19:30:00`, end: `${start}T21:00:00`, zone };
  const choir = addEntity(temporaryStore(), "event", { title: "Choir", ...times, recurrence: [...recurrence] }, nowMs);
  const moved: CalendarEvent = { ...choir, ...(await eventDraft({ start: `${to}T19:30` }, { nowMs, zone }, choir)) };
  const days = { first: "2026-10-01", last: "2026-12-31" };
  return occurrencesBetween([moved], days, zone).map(({ first }) => first.slice(5));
}

test.each([
  ["each week", "FREQ=WEEKLY;BYDAY=TH;COUNT=3", "2026-10-02", ["10-02", "10-09", "10-16"]],
  ["twice a week", "FREQ=WEEKLY;BYDAY=TH,MO;COUNT=4", "2026-10-02", ["10-02", "10-05", "10-09", "10-12"]],
  ["each second week", "FREQ=WEEKLY;INTERVAL=2;WKST=MO;BYDAY=TH;COUNT=2", "2026-10-09", ["10-09", "10-23"]],
  ["each month on its first such weekday", "FREQ=MONTHLY;BYDAY=1TH;COUNT=2", "2026-10-07", ["10-07", "11-04"]],
  ["each month on a date", "FREQ=MONTHLY;BYMONTHDAY=1;COUNT=2", "2026-10-15", ["10-15", "11-15"]],
  ["by a day that its rule has as well", "FREQ=WEEKLY;BYDAY=TH,SA;COUNT=2", "2026-10-03", ["10-03", "10-08"]],
])("a series that takes place %s is on its new day each time when it is moved", async (_, rule, to, days) => {
  expect(await movedDays("2026-10-01", [`RRULE:${rule}`], to)).toEqual(days);
});

test("what is left out of a series, and what is added, moves with it to another day", async () => {
  const weekly = "RRULE:FREQ=WEEKLY;BYDAY=TH;COUNT=4";
  for (const dates of [
    "EXDATE;TZID=Europe/Berlin:20261008T193000,20261022T193000",
    "EXDATE;VALUE=DATE:20261008,20261022",
  ])
    expect(await movedDays("2026-10-01", [weekly, dates], "2026-10-02")).toEqual(["10-02", "10-16"]);
  const added = "RDATE:20261210T183000Z";
  expect(await movedDays("2026-10-01", ["RRULE:FREQ=WEEKLY;COUNT=2", added], "2026-10-02")).toEqual([
    "10-02",
    "10-09",
    "12-11",
  ]);
});
