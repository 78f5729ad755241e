import type { CalendarEvent } from "../entities.ts";
import { type DayNumber, dayNumber, follows, ruleOf, timeIn } from "./rule.ts";

/** When the times of an event are, of one that takes place more than once. */
export interface Series {
  /** The first day, where it takes place. */
  readonly first: DayNumber;
  /** The day after which no time begins, where that is not behind `day`; infinite where nobody has said. */
  lastBy(day: DayNumber): DayNumber;
  /** Whether one begins on a day. */
  has(day: DayNumber): boolean;
}

/** The times of an event by its rules (RRULE), with what is added (RDATE) and left out (EXDATE). Of rules with parts that are not known the first time alone. */
export function seriesOf({ start, zone, recurrence }: CalendarEvent): Series {
  const first = dayNumber(start.slice(0, 10));
  const named = (name: string) => recurrence.filter((line) => line.toUpperCase().startsWith(name));
  const daysOf = (name: string) => new Set(named(name).flatMap((line) => listedDays(line, zone)));
  const [added, leftOut] = [daysOf("RDATE"), daysOf("EXDATE")];
  const rules = named("RRULE:").flatMap((line) => ruleOf(line, { start, zone }) ?? []);
  return {
    first: Math.min(first, ...added),
    lastBy: (day) => Math.max(first, ...added, ...rules.map((rule) => rule.lastBy(day))),
    has: (day) => !leftOut.has(day) && (day === first || added.has(day) || rules.some((rule) => follows(rule, day))),
  };
}

/** The days of `EXDATE;TZID=Europe/Berlin:20261127T170000,20261204T170000`. */
const listedDays = (line: string, zone: string | null): DayNumber[] =>
  line
    .slice(line.indexOf(":") + 1)
    .split(",")
    .flatMap((value) => {
      // A period (RFC 5545 §3.3.9) begins with its start.
      const time = timeIn(value.split("/", 1).join(), zone);
      return time === undefined ? [] : [dayNumber(time.slice(0, 10))];
    });

/** The same event on another day: as long, and at the time clocks show there. */
export function movedTo(event: CalendarEvent, day: DayNumber): CalendarEvent {
  const { start, end, isAllDay } = event;
  const shiftMs = (day - dayNumber(start.slice(0, 10))) * 86_400_000;
  if (shiftMs === 0) return event;
  const shifted = (value: string) => {
    const at = new Date(Date.parse(isAllDay ? `${value}T00:00:00Z` : `${value}Z`) + shiftMs).toISOString();
    // No calendar has a day after this one.
    return at.startsWith("+") ? (isAllDay ? "9999-12-31" : "9999-12-31T23:59:59") : at.slice(0, isAllDay ? 10 : 19);
  };
  return { ...event, start: shifted(start), end: shifted(end) };
}
