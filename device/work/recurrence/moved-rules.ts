import { isDay } from "../dates/due-day.ts";
import type { EventTimes } from "../events/event-times.ts";
import { dayNumber, dayOfNumber } from "./days.ts";
import { lastDayUntil } from "./rule.ts";
import { nameOf, type SeriesEvent } from "./series.ts";
import { timeOfSeries } from "./time-of-series.ts";

const until = /(?<=[:;]UNTIL=)[^;]+/i;

/**
 * The lines of a series that is moved, with as many times as it had: UNTIL mostly is the very moment of its last time, which would be
 * none any more when that begins an hour later.
 */
export const movedRules = (before: SeriesEvent, { start, zone }: Pick<EventTimes, "start" | "zone">): string[] =>
  before.recurrence.map((line) => {
    const [said] = nameOf(line) === "RRULE" ? (until.exec(line) ?? []) : [];
    const last = said === undefined ? undefined : lastDayUntil(said, before);
    if (last === undefined) return line;
    const day = dayOfNumber(last + dayNumber(start) - dayNumber(before.start));
    const time = timeOfSeries(day + start.slice(10), zone).replace(/[-:]/g, "");
    return line.replace(until, isDay(start) ? day.replaceAll("-", "") : time);
  });
