import { expect, test } from "vitest";
import { offsetIn, zoneChanges } from "../../../device/work/interchange/calendar-zones.ts";

test("a zone's clocks are looked at a bounded number of times, whichever of all years something is in", () => {
  const all = new Set(Array.from({ length: 9_999 }, (_, at) => at + 1));
  for (const zone of ["Europe/Berlin", "Australia/Lord_Howe"]) {
    const offset = offsetIn(zone);
    let looks = 0;
    const counted = (ms: number) => {
      looks += 1;
      return offset(ms);
    };
    const changes = zoneChanges(counted, all);
    expect(looks).toBeLessThan(40_000);
    expect(changes.slice(1).every(({ at }) => at > "1800")).toBe(true);
    // A year by itself says the same.
    const from = changes.findIndex(({ at }) => at >= "2300");
    const own = [2_300, 2_301, 2_302, 2_303, 2_304].flatMap((year) => changesByDay(offset, year));
    expect(changes.slice(from, from + own.length)).toEqual(own);
  }
});

/** The changes of a year, looked for day by day and hour by hour. */
function changesByDay(offset: (ms: number) => number, year: number) {
  const [end, hour] = [Date.UTC(year + 1, 0, 1), 3_600_000];
  const found: { at: string; from: number; to: number }[] = [];
  for (let day = Date.UTC(year, 0, 1); day < end; day += 24 * hour) {
    if (offset(day) === offset(day + 24 * hour)) continue;
    let ms = day;
    while (offset(ms) === offset(day)) ms += hour / 2;
    found.push({
      at: new Date(ms + offset(day) * 60_000).toISOString().slice(0, 19),
      from: offset(day),
      to: offset(ms),
    });
  }
  return found;
}
