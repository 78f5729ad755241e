import { dayAfter, localTimeAt } from "./dates/zone.ts";
import type { CalendarEvent } from "./entities.ts";
import { eventDays } from "./event-days.ts";

const dayMs = 24 * 3_600_000;
/** A rule that counts its times is followed for so many days: fifty years. */
const mostCounted = 50 * 366;

/**
 * An event as it takes place on a day where the person is, or undefined when it does not. Series by day, week, month or year
 * are worked out, with what is left out of them and what is added; of a rule with further parts only its first time is known.
 *
 * Not by a library's iterator: rules come from invitations of strangers, and there are some (the thirtieth of February, every
 * day) at which one searches without end. Whether a day belongs to a rule is a division.
 */
export function occurrenceOn(event: CalendarEvent, day: string, ownZone: string): CalendarEvent | undefined {
  const { first, last } = eventDays(event, ownZone);
  if (event.recurrence.length === 0) return first <= day && day <= last ? event : undefined;
  return [dayAfter(day, -1), day, dayAfter(day, 1)]
    .filter((each) => takesPlace(event, each))
    .map((each) => movedTo(event, each))
    .find((each) => eventDays(each, ownZone).first === day);
}

/** Whether one of a series begins on a day of its own zone. */
function takesPlace(event: CalendarEvent, day: string): boolean {
  const { start, recurrence, zone } = event;
  const daysOf = (name: string) =>
    recurrence.filter((line) => line.toUpperCase().startsWith(name)).flatMap((line) => listedDays(line, zone));
  if (daysOf("EXDATE").includes(day)) return false;
  if (daysOf("RDATE").includes(day)) return true;
  const first = start.slice(0, 10);
  const rules = recurrence.filter((line) => line.toUpperCase().startsWith("RRULE:")).map(partsOf);
  return day === first || rules.some((rule) => follows(rule, first, day, zone));
}

type Rule = ReadonlyMap<string, string>;

const partsOf = (line: string): Rule =>
  new Map(
    line
      .slice("RRULE:".length)
      .toUpperCase()
      .split(";")
      .map((part): [string, string] => {
        const [name = "", value = ""] = part.split("=");
        return [name, value];
      }),
  );

const plainParts: ReadonlySet<string> = new Set(["FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST"]);
const weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"] as const;

/** RFC 5545 §3.3.10, as far as it is a matter of dividing. */
function follows(rule: Rule, first: string, day: string, zone: string | null): boolean {
  if (day < first || !isOfRule(rule, first, day)) return false;
  const until = rule.get("UNTIL");
  if (until !== undefined && day > dayOf(until, zone)) return false;
  const count = rule.get("COUNT");
  return count === undefined || timesUpTo(rule, first, day) <= Number(count);
}

function isOfRule(rule: Rule, first: string, day: string): boolean {
  const frequency = rule.get("FREQ");
  const others = [...rule.keys()].filter(
    (name) => !plainParts.has(name) && !(frequency === "WEEKLY" && name === "BYDAY"),
  );
  const interval = Math.max(1, Math.trunc(Number(rule.get("INTERVAL") ?? 1)) || 1);
  if (others.length > 0) return false;
  const [one, other] = [first, day].map((each) => new Date(`${each}T00:00:00Z`));
  if (one === undefined || other === undefined) return false;
  const months = (other.getUTCFullYear() - one.getUTCFullYear()) * 12 + other.getUTCMonth() - one.getUTCMonth();
  const isSameDay = one.getUTCDate() === other.getUTCDate();
  switch (frequency) {
    case "DAILY":
      return ((other.getTime() - one.getTime()) / dayMs) % interval === 0;
    case "WEEKLY": {
      const named = rule.get("BYDAY")?.split(",") ?? [weekdayOf(one)];
      const begins = rule.get("WKST") ?? "MO";
      return (
        named.includes(weekdayOf(other)) &&
        ((weekOf(other, begins) - weekOf(one, begins)) / (7 * dayMs)) % interval === 0
      );
    }
    case "MONTHLY":
      return isSameDay && months % interval === 0;
    case "YEARLY":
      return isSameDay && months % (12 * interval) === 0;
    default:
      return false;
  }
}

const weekdayOf = (day: Date): string => weekdays[day.getUTCDay()] ?? "";

/** The first day of a week, in milliseconds since the epoch. */
function weekOf(day: Date, begins: string): number {
  const offset = (weekdays as readonly string[]).indexOf(begins);
  return day.getTime() - ((day.getUTCDay() - Math.max(0, offset) + 7) % 7) * dayMs;
}

function timesUpTo(rule: Rule, first: string, day: string): number {
  let times = 0;
  let at = first;
  for (let days = 0; at <= day && days < mostCounted; days += 1, at = dayAfter(first, days)) {
    if (isOfRule(rule, first, at)) times += 1;
  }
  return at <= day ? Number.POSITIVE_INFINITY : times;
}

/** The days of `EXDATE;TZID=Europe/Berlin:20261127T170000,20261204T170000`. */
const listedDays = (line: string, zone: string | null): string[] =>
  line
    .slice(line.indexOf(":") + 1)
    .split(",")
    .map((value) => dayOf(value, zone));

/** A date or time as content lines write it (RFC 5545 §3.3.5), as a day of a zone. */
function dayOf(value: string, zone: string | null): string {
  const [, year, month, date, time = ""] = /^(\d{4})-?(\d\d)-?(\d\d)(T.*)?$/i.exec(value.trim()) ?? [];
  if (year === undefined) return "";
  const day = `${year}-${month}-${date}`;
  const [, hours, minutes] = /^T(\d\d):?(\d\d):?\d\dZ$/i.exec(time) ?? [];
  if (hours === undefined || zone === null) return day;
  return localTimeAt(Date.parse(`${day}T${hours}:${minutes}:00Z`), zone).slice(0, 10);
}

/** The same on another day: as long, and at the time clocks show there. */
function movedTo(event: CalendarEvent, day: string): CalendarEvent {
  const { start, end, isAllDay } = event;
  const shiftMs = Date.parse(`${day}T00:00:00Z`) - Date.parse(`${start.slice(0, 10)}T00:00:00Z`);
  const shifted = (value: string) =>
    new Date(Date.parse(isAllDay ? `${value}T00:00:00Z` : `${value}Z`) + shiftMs)
      .toISOString()
      .slice(0, isAllDay ? 10 : 19);
  return { ...event, start: shifted(start), end: shifted(end) };
}
