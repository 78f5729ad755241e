import { dueDay, isPastDue } from "../work/dates/due-day.ts";
import { dayAfter, localTimeAt } from "../work/dates/zone.ts";
import type { CalendarEvent, Task } from "../work/entities.ts";
import { type Occurrence, occurrencesBetween } from "../work/events/occurrences.ts";
import { type PartlyKnown, partlyKnown } from "../work/recurrence/partly-known.ts";

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
  /** Series that may take place on other days too. */
  readonly partlyKnown: readonly PartlyKnown[];
}

const days = 7;

/**
 * Deadlines of open tasks and events that take place, today and the six days after it, where the person is. A series
 * stands on every day it takes place, at the time it does then, as the calendar has it; of one that overlaps itself, as nights
 * on duty do, the newest of its times.
 */
export function weekAhead(
  tasks: readonly Task[],
  events: readonly CalendarEvent[],
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string },
): WeekAhead {
  const today = localTimeAt(nowMs, zone).slice(0, 10);
  const open = tasks.flatMap((task) =>
    task.status === "open" && task.due !== null ? [{ task, due: task.due, day: dueDay(task.due, zone) }] : [],
  );
  const week = { first: today, last: dayAfter(today, days - 1) };
  const taking = occurrencesBetween(events, week, zone).filter(({ event }) => event.status !== "cancelled");
  const ahead = Array.from({ length: days }, (_, after) => dayAfter(today, after)).map((day) => ({
    day,
    events: onDay(taking, day),
    tasks: open.filter((each) => each.day === day).map(({ task }) => task),
  }));
  return {
    overdue: open.filter(({ due }) => isPastDue(due, today, zone)).map(({ task }) => task),
    days: ahead.filter((each) => each.events.length > 0 || each.tasks.length > 0),
    partlyKnown: partlyKnown(events),
  };
}

/** What takes place on a day, begun then or before. */
function onDay(taking: readonly Occurrence[], day: string): CalendarEvent[] {
  const found = taking.filter(({ first, last }) => first <= day && day <= last);
  const newest = new Map(found.map((each) => [each.event.id, each]));
  return found.filter((each) => each.first === day || newest.get(each.event.id) === each).map(({ event }) => event);
}
