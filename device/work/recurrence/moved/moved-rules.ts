import { isDay } from "../../dates/due-day.ts";
import type { EventTimes } from "../../events/event-times.ts";
import { dayNumber, dayOfNumber } from "../days.ts";
import { lastDayUntil } from "../rule.ts";
import { nameOf, type SeriesEvent } from "../series.ts";
import { timeOfSeries } from "../time-of-series.ts";
import { datesLater } from "./moved-dates.ts";
import { ruleOnNewDay } from "./moved-days.ts";

const until = /(?<=[:;]UNTIL=)[^;]+/i;

/**
 * The lines of a series that is moved, on its new day, without what was left out of it, and with as many times as it had: UNTIL mostly
 * is the very moment of its last time, which would be none any more when that begins an hour later.
 */
export function movedRules(before: SeriesEvent, { start, zone }: Pick<EventTimes, "start" | "zone">): string[] {
  const days = dayNumber(start) - dayNumber(before.start);
  return before.recurrence.map((line) => {
    if (nameOf(line) !== "RRULE") return datesLater(line, before, days);
    const moved = ruleOnNewDay(line, before, { start, zone });
    const [said] = until.exec(moved) ?? [];
    const last = said === undefined ? undefined : lastDayUntil(said, before);
    if (last === undefined) return moved;
    const day = dayOfNumber(last + days);
    const time = timeOfSeries(day + start.slice(10), zone).replace(/[-:]/g, "");
    return moved.replace(until, isDay(start) ? day.replaceAll("-", "") : time);
  });
}
