import { describe, expect, it } from "vitest";
import { weekStart, weeksAround } from "../../device/console/page/work/calendar/weeks.ts";

const starts = [1, 2, 3, 4, 5, 6, 7];
const edges = [
  "0001-01-01",
  "0001-01-31",
  "0099-12-31",
  "1900-02-28",
  "2024-02-29",
  "2026-11-27",
  "9999-12-01",
  "9999-12-31",
];
const cases = edges.flatMap((day) => starts.map((start) => [day, start] as const));

/** Monday is 1, Sunday 7. */
const weekdayOf = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

describe("the weeks of a calendar", () => {
  it.each(cases)(
    "around %s, beginning on day %i, hold each day once, below its day of the week, to both ends of the calendar",
    (day, start) => {
      for (const view of ["week", "month"] as const) {
        const weeks = weeksAround(day, view, start);
        const days = weeks.flat().filter((each) => each !== undefined);
        expect(days, view).toEqual([...new Set(days)].toSorted());
        expect(days, view).toContain(day);
        for (const week of weeks) {
          expect(week, view).toHaveLength(7);
          for (const [n, each] of week.entries())
            if (each !== undefined) expect(weekdayOf(each), `${view} ${each}`).toBe(((start - 1 + n) % 7) + 1);
        }
        if (view === "week") continue;
        const [year = "", month = ""] = day.split("-");
        // The last day of a month is the one before the first of the next.
        const length = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
        const ofMonth = days.filter((each) => each.startsWith(`${year}-${month}-`));
        expect(ofMonth).toHaveLength(length);
      }
    },
  );

  it("begin as the browser's own region does, and as the language does where the browser names none, or what is no tag", () => {
    expect(weekStart("en", ["en-US"])).toBe(7);
    expect(weekStart("en", ["de-DE", "en-GB"])).toBe(1);
    expect(weekStart("de", ["en-US"])).toBe(1);
    // A Chromium whose LANG is C names that.
    expect(weekStart("en", ["en-US@posix"])).toBe(weekStart("en", []));
    expect(weekStart("en", ["en_US", "en-GB"])).toBe(1);
  });
});
