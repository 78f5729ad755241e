import { type Priority, priorities } from "../../events/proposals/categorize.ts";
import { dueDay } from "../work/dates/due-day.ts";
import { dayAfter, localTimeAt, momentOf } from "../work/dates/zone.ts";
import type { Known } from "./item-view.ts";

type Clock = Pick<Known, "nowMs" | "zone">;

const dayMs = 24 * 3_600_000;

/** How soon something due on a day, or at a moment, deserves attention: what is overdue, or due by tomorrow, does now. */
export function priorityOfDue(due: string, { nowMs, zone }: Clock): Priority {
  const day = dueDay(due, zone);
  const today = localTimeAt(nowMs, zone).slice(0, 10);
  if (day <= dayAfter(today, 1)) return "now";
  return day <= dayAfter(today, 7) ? "soon" : "later";
}

/** When an event is, as it is kept. */
export interface Times {
  readonly start: string;
  readonly end: string;
  readonly zone: string | null;
}

/** A time of an event as a moment, in milliseconds: of a day its beginning where the person is. */
export function momentAt(value: string, zone: string | null, own: string): number {
  return value.includes("T") ? momentOf(value, zone ?? own) : momentOf(`${value}T00:00:00`, own);
}

/**
 * Whether something has ended. Without an end after its start it is over when it starts. A day is its beginning where
 * the person is.
 */
export const isOver = ({ start, end, zone }: Times, clock: Clock): boolean =>
  momentAt(end > start ? end : start, zone, clock.zone) <= clock.nowMs;

/** How soon an event deserves attention: one within a day now, within seven soon, one that is over no more. */
export function priorityOfEvent(times: Times, clock: Clock): Priority {
  if (isOver(times, clock)) return "none";
  const inMs = momentAt(times.start, times.zone, clock.zone) - clock.nowMs;
  if (inMs <= dayMs) return "now";
  return inMs <= 7 * dayMs ? "soon" : "later";
}

/** The lesser of two. */
export const atMost = (priority: Priority, most: Priority): Priority =>
  priorities.indexOf(priority) < priorities.indexOf(most) ? most : priority;
