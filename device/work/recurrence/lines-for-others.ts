import { isDay } from "../dates/due-day.ts";
import type { CalendarEvent } from "../entities.ts";
import { dayNumber } from "./days.ts";
import { nameOf, seriesOf } from "./series.ts";
import { Steps } from "./steps.ts";
import { listedTimes } from "./times.ts";

/**
 * The lines that make a series of an event, for programs to which EXDATE means what begins at that very time (RFC 5545 §3.8.5.1).
 * Here one that none begins at takes out the series' own of that day, because lines stay as they were when a series is moved to
 * another time; and a day all of it. What is meant is written then.
 */
export function linesForOthers(event: CalendarEvent): readonly string[] {
  const { recurrence, zone, isAllDay } = event;
  const leftOut = recurrence.filter((line) => nameOf(line) === "EXDATE");
  if (leftOut.length === 0 || seriesOf(event).gap !== null) return recurrence;
  const said = listedTimes(leftOut, zone, new Steps()).filter((each) => each !== undefined);
  const rest = recurrence.filter((line) => nameOf(line) !== "EXDATE");
  const series = seriesOf({ start: event.start, zone, isAllDay, recurrence: rest });
  const meant = said.map((each) => {
    const day = dayNumber(each);
    const starts = [...series.startsBetween(day, day)];
    if (starts.length === 0 || starts.includes(each)) return [each];
    const own = each.slice(0, 10) + event.start.slice(10);
    return isDay(each) || isAllDay ? starts : [own];
  });
  const isSaid = meant.every((starts, at) => starts.length === 1 && starts[0] === said[at]);
  return isSaid ? recurrence : [...rest, ...[...new Set(meant.flat())].map((each) => excluded(each, zone))];
}

function excluded(time: string, zone: string | null): string {
  const value = time.replace(/[-:]/g, "");
  if (isDay(time)) return `EXDATE;VALUE=DATE:${value}`;
  if (zone === "UTC") return `EXDATE:${value}Z`;
  return zone === null ? `EXDATE:${value}` : `EXDATE;TZID=${zone}:${value}`;
}
