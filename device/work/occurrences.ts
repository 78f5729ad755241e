import { compared } from "../compared.ts";
import { dayAfter, localTimeAt, momentOf } from "./dates/zone.ts";
import type { CalendarEvent } from "./entities.ts";
import { eventDays } from "./event-days.ts";
import { dayNumber } from "./recurrence/rule.ts";
import { movedTo, type Series, seriesOf } from "./recurrence/series.ts";

/** An event as it takes place once, and on which days where the person is. */
export interface Occurrence {
  /** At its own times, of a series too. */
  readonly event: CalendarEvent;
  /** `2026-11-27`, the first and the last one. */
  readonly first: string;
  readonly last: string;
}

/** Days of a calendar, both included: `2026-11-27`. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

/** One of a series that began longer ago is not looked for: who keeps a month-long event every week is shown the newest. */
const mostDaysBack = 31;
/** How far a series is followed for its next time: ten years. */
const mostDaysAhead = 3_660;

/**
 * An event as it takes place on a day where the person is, or undefined when it does not: an event by itself on each of its
 * days, one of a series on its first.
 */
export function occurrenceOn(event: CalendarEvent, day: string, ownZone: string): CalendarEvent | undefined {
  if (event.recurrence.length === 0) {
    const { first, last } = eventDays(event, ownZone);
    return first <= day && day <= last ? event : undefined;
  }
  const series = seriesOf(event);
  const at = dayNumber(day);
  return timesOf(event, series, at - 1, at + 1).find((each) => eventDays(each, ownZone).first === day);
}

/**
 * Everything that takes place on some days where the person is, in order: what lasts all day first, then by time. Series are
 * worked out; one of them that was moved or cancelled stands for itself.
 */
export function occurrencesBetween(events: readonly CalendarEvent[], days: Days, ownZone: string): Occurrence[] {
  const isApart = apartFrom(events);
  // A day here may be another one there.
  const [from, to] = [dayAfter(days.first, -1), dayAfter(days.last, 1)];
  return events
    .flatMap((event): CalendarEvent[] => {
      if (event.start.slice(0, 10) > to && !event.recurrence.some((line) => /^RDATE/i.test(line))) return [];
      if (event.recurrence.length === 0) return event.end.slice(0, 10) < from ? [] : [event];
      const lasts = Math.min(mostDaysBack, dayNumber(event.end.slice(0, 10)) - dayNumber(event.start.slice(0, 10)));
      return timesOf(event, seriesOf(event), dayNumber(from) - lasts, dayNumber(to)).filter((each) => !isApart(each));
    })
    .map((event) => ({ event, ...eventDays(event, ownZone) }))
    .filter(({ first, last }) => first <= days.last && last >= days.first)
    .toSorted(inOrder);
}

/**
 * An event as it takes place next: by itself as it is, a series at the first time that is not over before a day.
 *
 * @returns undefined when there is none, or none within ten years
 */
export function nextOccurrence(
  event: CalendarEvent,
  fromDay: string,
  ownZone: string,
  isApart: (time: CalendarEvent) => boolean = () => false,
): CalendarEvent | undefined {
  const isComing = (each: CalendarEvent) => eventDays(each, ownZone).last >= fromDay;
  if (event.recurrence.length === 0) return isComing(event) ? event : undefined;
  const series = seriesOf(event);
  const lasts = Math.min(mostDaysBack, dayNumber(event.end.slice(0, 10)) - dayNumber(event.start.slice(0, 10)));
  const from = Math.max(series.first, dayNumber(fromDay) - lasts - 1);
  for (let day = from; day <= Math.min(series.lastBy(day), from + mostDaysAhead); day += 1) {
    if (!series.has(day)) continue;
    const time = movedTo(event, day);
    if (isComing(time) && !isApart(time)) return time;
  }
  return undefined;
}

/** Events that are not over at a moment, as each takes place next, the soonest first. */
export function upcomingEvents(
  events: readonly CalendarEvent[],
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string },
): CalendarEvent[] {
  const isApart = apartFrom(events);
  const today = localTimeAt(nowMs, zone).slice(0, 10);
  const isOver = ({ end, zone: own, isAllDay }: CalendarEvent) =>
    momentOf(isAllDay ? `${end}T00:00:00` : end, own ?? zone) <= nowMs;
  return events
    .flatMap((event) => nextOccurrence(event, today, zone, (time) => isApart(time) || isOver(time)) ?? [])
    .filter((time) => !isOver(time))
    .toSorted((one, other) => compared(one.start, other.start) || compared(one.id, other.id));
}

/** Which times of series do not take place as their rule has them, because they were moved or cancelled. */
export function apartFrom(events: readonly CalendarEvent[]): (time: CalendarEvent) => boolean {
  const key = (uid: string, day: string) => JSON.stringify([uid, day.slice(0, 10)]);
  const apart = new Set(
    events.flatMap(({ uid, recurrenceId }) => (recurrenceId === "" ? [] : [key(uid, recurrenceId)])),
  );
  return ({ uid, recurrence, start }) => recurrence.length > 0 && apart.has(key(uid, start));
}

/** Times of a series that begin on some days of its own zone. */
function timesOf(event: CalendarEvent, series: Series, from: number, to: number): CalendarEvent[] {
  const times: CalendarEvent[] = [];
  for (let day = Math.max(from, series.first); day <= Math.min(to, series.lastBy(day)); day += 1) {
    if (series.has(day)) times.push(movedTo(event, day));
  }
  return times;
}

function inOrder(one: Occurrence, other: Occurrence): number {
  if (one.event.isAllDay !== other.event.isAllDay) return one.event.isAllDay ? -1 : 1;
  return (
    compared(one.first, other.first) ||
    compared(one.event.start, other.event.start) ||
    compared(one.event.id, other.event.id)
  );
}
