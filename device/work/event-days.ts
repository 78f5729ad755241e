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
  const dayOf = (value: string) => localTimeAt(momentOf(value, zone ?? ownZone), ownZone).slice(0, 10);
  const first = dayOf(start);
  // What ends at midnight does not take place on the day that begins then.
  const last = dayOf(end);
  return { first, last: last > first && end.endsWith("T00:00:00") ? dayAfter(last, -1) : last };
}
