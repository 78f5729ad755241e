import { dayAfter } from "../dates/zone.ts";
import type { EventTimes } from "./event-times.ts";

/** When an event is, for a person: its zone is named where it is not theirs. */
export function shownTimes({ start, end, zone, isAllDay }: EventTimes, ownZone: string): string {
  if (isAllDay) {
    const last = dayAfter(end, -1);
    return last <= start ? start : `${start} to ${last}`;
  }
  const [day = "", time = ""] = start.split("T");
  const [endDay = "", endTime = ""] = end.split("T");
  const until = start === end ? "" : `-${endDay === day ? "" : `${endDay} `}${endTime.slice(0, 5)}`;
  return `${day} ${time.slice(0, 5)}${until}${zone === null || zone === ownZone ? "" : ` ${zone}`}`;
}
