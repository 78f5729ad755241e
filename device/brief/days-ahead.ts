import { compared } from "../compared.ts";
import { dueDay } from "../work/dates/due-day.ts";
import { dayAfter, localTimeAt } from "../work/dates/zone.ts";
import type { CalendarEvent, Task } from "../work/entities.ts";
import { occurrenceOn } from "../work/occurrences.ts";

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
 * Deadlines of open tasks and events that take place, today and the six days after it, where the person is. A series
 * stands on every day it takes place, at the time it does then.
 */
export function weekAhead(
  tasks: readonly Task[],
  events: readonly CalendarEvent[],
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string },
): WeekAhead {
  const today = localTimeAt(nowMs, zone).slice(0, 10);
  const open = tasks.flatMap((task) =>
    task.status === "open" && task.due !== null ? [{ task, day: dueDay(task.due, zone) }] : [],
  );
  const dueOn = (isMeant: (day: string) => boolean) => open.filter(({ day }) => isMeant(day)).map(({ task }) => task);
  const taking = events.filter(({ status }) => status !== "cancelled");
  // One of a series that was moved, or cancelled, stands for itself.
  const apart = new Set(events.map(({ uid, recurrenceId }) => `${uid} ${recurrenceId.slice(0, 10)}`));
  const isApart = ({ uid, recurrence, start }: CalendarEvent) =>
    recurrence.length > 0 && apart.has(`${uid} ${start.slice(0, 10)}`);
  const ahead = Array.from({ length: days }, (_, after) => dayAfter(today, after)).map((day) => ({
    day,
    events: taking
      .flatMap((event) => occurrenceOn(event, day, zone) ?? [])
      .filter((event) => !isApart(event))
      .toSorted((one, other) => compared(one.start, other.start)),
    tasks: dueOn((due) => due === day),
  }));
  return {
    overdue: dueOn((due) => due < today),
    days: ahead.filter((each) => each.events.length > 0 || each.tasks.length > 0),
  };
}
