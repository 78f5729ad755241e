import { compared } from "../../compared.ts";
import type { Here } from "../dates/read-date.ts";
import { dayAfter, localTimeAt, momentOf } from "../dates/zone.ts";
import type { CalendarEvent } from "../entities.ts";
import { isNewer } from "../interchange/revisions.ts";
import { type DayNumber, dayNumber } from "../recurrence/days.ts";
import { type ByDay, byDay, longestLookDays, movedTo, seriesOf } from "../recurrence/series.ts";
import { shownTimeOfSeries, standsFor } from "../recurrence/time-of-series.ts";
import { eventDays, timeHere } from "./event-days.ts";
import type { EventTimes } from "./event-times.ts";

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

/**
 * Those of a series that began longer ago are not all looked for, the newest of them alone: who keeps a month-long event every week
 * is shown a month of them. And further back than a year none.
 */
const mostDaysBack = { all: 31, newest: 366 } as const;
/** Which times of a series do not take place as its rules have them, because they were moved or cancelled. */
export type Apart = (series: CalendarEvent) => ByDay | undefined;

/**
 * Everything that takes place on some days where the person is, in order: what lasts all day first, then by time. Series are
 * worked out; one of them that was moved or cancelled stands for itself.
 */
export function occurrencesBetween(events: readonly CalendarEvent[], days: Days, ownZone: string): Occurrence[] {
  const apart = apartFrom(events);
  const standing = standingAmong(events);
  // A day here may be another one there.
  const [from, to] = [dayAfter(days.first, -1), dayAfter(days.last, 1)];
  return events
    .flatMap((event): CalendarEvent[] => {
      if (event.start.slice(0, 10) > to && !event.recurrence.some((line) => /^RDATE/i.test(line))) return [];
      if (event.recurrence.length === 0) return event.end.slice(0, 10) < from ? [] : [event];
      return startsAround(event, dayNumber(from), dayNumber(to), apart(event)).map((start) => movedTo(event, start));
    })
    .map((event) => ({ event: standing(event), ...eventDays(event, ownZone) }))
    .filter(({ first, last }) => first <= days.last && last >= days.first)
    .map((each) => ({ each, begins: beginsHere(each.event, ownZone) }))
    .toSorted(inOrder)
    .map(({ each }) => each);
}

/** When those of a series begin that may take place on some days. */
function startsAround(event: CalendarEvent, from: DayNumber, to: DayNumber, apart: ByDay | undefined): string[] {
  const series = seriesOf(event);
  const [all, newest] = [lastsDays(event, mostDaysBack.all), lastsDays(event, mostDaysBack.newest)];
  const starts = [...series.startsBetween(from - all, to, apart)];
  if (newest === all) return starts;
  return [...[...series.startsBetween(from - newest, from - all - 1, apart)].slice(-1), ...starts];
}

const lastsDays = ({ start, end }: EventTimes, most: number): number =>
  Math.min(most, dayNumber(end) - dayNumber(start));

/**
 * An event as it takes place next: by itself as it is, a series at the first time that is not over before a day.
 *
 * @param isMeant which times count
 * @returns undefined when there is none, or none within ten years
 */
export const nextOccurrence = (
  event: CalendarEvent,
  fromDay: string,
  ownZone: string,
  apart: Apart,
  isMeant: (time: CalendarEvent) => boolean = () => true,
): CalendarEvent | undefined => firstFrom(event, fromDay, ownZone, apart(event), isMeant);

/** What takes place once or more often, with nothing that stands beside it. */
export type TimedEvent = EventTimes & Pick<CalendarEvent, "recurrence">;

/** The same of what is no event of the person's yet: when it is not over at a moment. */
export const nextTime = <E extends TimedEvent>(event: E, { nowMs, zone }: Here): E | undefined =>
  firstFrom(event, localTimeAt(nowMs, zone).slice(0, 10), zone, undefined, isAhead(nowMs, zone));

const isAhead =
  (nowMs: number, zone: string) =>
  ({ end, zone: own, isAllDay }: TimedEvent): boolean =>
    momentOf(isAllDay ? `${end}T00:00:00` : end, own ?? zone) > nowMs;

function firstFrom<E extends TimedEvent>(
  event: E,
  fromDay: string,
  ownZone: string,
  apart: ByDay | undefined,
  isMeant: (time: E) => boolean,
): E | undefined {
  const isComing = (each: E) => eventDays(each, ownZone).last >= fromDay && isMeant(each);
  if (event.recurrence.length === 0) return isComing(event) ? event : undefined;
  const series = seriesOf(event);
  const from = Math.max(series.first, dayNumber(fromDay) - lastsDays(event, mostDaysBack.newest) - 1);
  for (const start of series.startsBetween(from, from + longestLookDays, apart)) {
    const time = movedTo(event, start);
    if (isComing(time)) return time;
  }
  return undefined;
}

/** Events that are not over at a moment, as each takes place next, the soonest first. */
export function upcomingEvents(events: readonly CalendarEvent[], { nowMs, zone }: Here): CalendarEvent[] {
  const apart = apartFrom(events);
  const standing = standingAmong(events);
  const today = localTimeAt(nowMs, zone).slice(0, 10);
  return events
    .flatMap((event) => nextOccurrence(event, today, zone, apart, isAhead(nowMs, zone)) ?? [])
    .map((event) => ({ event: standing(event), begins: beginsHere(event, zone) }))
    .toSorted((one, other) => compared(one.begins, other.begins) || compared(one.event.id, other.event.id))
    .map(({ event }) => event);
}

/**
 * How an event stands among others: one of a series that was moved goes with its series when that is cancelled, unless it
 * is of a later revision (RFC 5546 §3.2.5).
 */
export function standingAmong(events: readonly CalendarEvent[]): (event: CalendarEvent) => CalendarEvent {
  const cancelled = new Map(
    events
      .filter(({ status, recurrenceId }) => status === "cancelled" && recurrenceId === "")
      .map((series) => [series.uid, series]),
  );
  return (event) => {
    const series = event.recurrenceId === "" ? undefined : cancelled.get(event.uid);
    return series === undefined || isNewer(event, series) ? event : { ...event, status: "cancelled" };
  };
}

/** When an event begins as clocks show it here: of different zones, the order in which they do. */
export const beginsHere = ({ start, zone }: CalendarEvent, ownZone: string): string => timeHere(start, zone, ownZone);

/** What stands for itself of the series among some events. */
export function apartFrom(events: readonly CalendarEvent[]): Apart {
  const ones = Map.groupBy(
    events.filter(({ recurrenceId }) => recurrenceId !== ""),
    ({ uid }) => uid,
  );
  return ({ uid, zone, recurrence }) => {
    const named = recurrence.length === 0 ? undefined : ones.get(uid);
    return named && byDay(named.map((one) => shownTimeOfSeries(standsFor(one), zone)));
  };
}

interface Begun {
  readonly each: Occurrence;
  readonly begins: string;
}

function inOrder(
  { each: { event: one }, begins }: Begun,
  { each: { event: other }, begins: otherBegins }: Begun,
): number {
  if (one.isAllDay !== other.isAllDay) return one.isAllDay ? -1 : 1;
  return compared(begins, otherBegins) || compared(one.id, other.id);
}
