import { dayAfter } from "../dates/zone.ts";
import { timeHere } from "./event-days.ts";
import type { EventTimes } from "./event-times.ts";

/**
 * When an event is, for a person, as their clocks show it. When it begins where it takes place is told beside that: `2026-12-03
 * 15:00-16:00 (09:00 America/New_York)`; but UTC is no place, and programs write it for events of any.
 */
export function shownTimes({ start, end, zone, isAllDay }: EventTimes, ownZone: string): string {
  if (isAllDay) {
    const last = dayAfter(end, -1);
    return last <= start ? start : `${start} to ${last}`;
  }
  const [from, until] = [timeHere(start, zone, ownZone), timeHere(end, zone, ownZone)];
  const day = from.slice(0, dayLength);
  const shownEnd = start === end ? "" : `-${besideDay(until, day)}`;
  const isElsewhere = zone !== null && zone !== ownZone && zone !== "UTC";
  return `${day} ${clockOf(from)}${shownEnd}${isElsewhere ? ` (${besideDay(start, day)} ${zone})` : ""}`;
}

const dayLength = "2026-12-03".length;
const clockOf = (time: string): string => time.slice(dayLength + 1, dayLength + 6);

/** A time whose day is named where that is another one. */
const besideDay = (time: string, day: string): string =>
  `${time.startsWith(day) ? "" : `${time.slice(0, dayLength)} `}${clockOf(time)}`;
