import { dayAfter, localTimeAt, momentOf } from "./dates/zone.ts";
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
  // The zone's own clocks show it as it is kept: most events are of the person's zone, and nothing is to be worked out.
  const here = (value: string) =>
    zone === null || zone === ownZone ? value : localTimeAt(momentOf(value, zone), ownZone);
  const first = here(start).slice(0, 10);
  const until = here(end);
  const last = until.slice(0, 10);
  // What ends at midnight does not take place on the day that begins then.
  return { first, last: last > first && until.endsWith("T00:00:00") ? dayAfter(last, -1) : last };
}
