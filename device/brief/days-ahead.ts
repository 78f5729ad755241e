import { momentAt } from "../categorize/priority.ts";
import { dayAfter, localTimeAt } from "../work/dates/zone.ts";
import type { CalendarEvent, Task } from "../work/entities.ts";

/** A day of the week to come, and what is on it. */
export interface DayAhead {
  /** `2026-11-27` where the person is. */
  readonly day: string;
  readonly events: readonly CalendarEvent[];
  readonly tasks: readonly Task[];
}

export interface WeekAhead {
  /** Open tasks whose day is over. */
  readonly overdue: readonly Task[];
  /** Days on which there is something, in their order. */
  readonly days: readonly DayAhead[];
}

const days = 7;

/**
 * Deadlines of open tasks and events that take place, today and the six days after it, where the person is. Of a series
 * the event itself counts, its rule is not worked out.
 */
export function weekAhead(
  tasks: readonly Task[],
  events: readonly CalendarEvent[],
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string },
): WeekAhead {
  const today = localTimeAt(nowMs, zone).slice(0, 10);
  const open = tasks.filter(({ status, due }) => status === "open" && due !== null);
  const dueDay = ({ due }: Task) => {
    if (due === null) return "";
    return due.length === 10 ? due : localTimeAt(Date.parse(due), zone).slice(0, 10);
  };
  const isOn = (event: CalendarEvent, day: string) => {
    if (event.status === "cancelled") return false;
    if (event.isAllDay) return event.start <= day && day < event.end;
    return localTimeAt(momentAt(event.start, event.zone, zone), zone).slice(0, 10) === day;
  };
  const ahead = Array.from({ length: days }, (_, after) => dayAfter(today, after)).map((day) => ({
    day,
    events: events.filter((event) => isOn(event, day)),
    tasks: open.filter((task) => dueDay(task) === day),
  }));
  return {
    overdue: open.filter((task) => dueDay(task) < today),
    days: ahead.filter((each) => each.events.length > 0 || each.tasks.length > 0),
  };
}
