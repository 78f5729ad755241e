import { isDay } from "../dates/due-day.ts";
import { dayAfter, localTimeAt, momentOf } from "../dates/zone.ts";
import type { EventTimes } from "./event-times.ts";

/** The first and the last day on which an event takes place, where the person is. */
export function eventDays(
  { start, end, zone, isAllDay }: EventTimes,
  ownZone: string,
): { first: string; last: string } {
  if (isAllDay) {
    const last = dayAfter(end, -1);
    return { first: start, last: last < start ? start : last };
  }
  const first = timeHere(start, zone, ownZone).slice(0, 10);
  const until = timeHere(end, zone, ownZone);
  const last = until.slice(0, 10);
  // What ends at midnight does not take place on the day that begins then.
  return { first, last: last > first && until.endsWith("T00:00:00") ? dayAfter(last, -1) : last };
}

/** A time of an event as clocks show it where the person is; a day stays as it is. */
export function timeHere(value: string, zone: string | null, ownZone: string): string {
  // The zone's own clocks show it as it is kept: most events are of the person's zone, and nothing is to be worked out.
  return zone === null || zone === ownZone || isDay(value) ? value : localTimeAt(momentOf(value, zone), ownZone);
}
