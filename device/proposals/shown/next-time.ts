import type { StoredProposal } from "../../store/schema.ts";
import { dueDay, isPastDue } from "../../work/dates/due-day.ts";
import type { Here } from "../../work/dates/read-date.ts";
import { localTimeAt } from "../../work/dates/zone.ts";
import { eventDays } from "../../work/events/event-days.ts";
import type { EventTimes } from "../../work/events/event-times.ts";
import { nextTime } from "../../work/events/occurrences.ts";

/**
 * When what a proposal's draft names takes place next: an event as it is, a series that runs already at the first of its times
 * that is not over, or at its very first where none is to come. Undefined where it names no time.
 */
export function nextTimes({ payload }: StoredProposal, here: Here): EventTimes | undefined {
  if (payload === null || payload.start === null || payload.end === null) return undefined;
  const { start, end, zone, isAllDay, calendar } = payload;
  const times = { start, end, zone, isAllDay };
  const recurrence = calendar?.recurrence ?? [];
  const next = recurrence.length === 0 ? undefined : nextTime({ ...times, recurrence }, here);
  return next === undefined ? times : { ...times, start: next.start, end: next.end };
}

/** The day a proposal's draft names, where the person is: when it is due, or begins next; empty where it names none. */
export function dayNamed(row: StoredProposal, here: Here): string {
  const due = row.payload?.due ?? null;
  if (due !== null) return dueDay(due, here.zone);
  const times = nextTimes(row, here);
  return times === undefined ? "" : eventDays(times, here.zone).first;
}

/** Whether a proposal waits although the day that it is due by is over, where the person is. */
export function isOverdue({ status, payload }: StoredProposal, { nowMs, zone }: Here): boolean {
  const due = payload?.due ?? null;
  return status === "pending" && due !== null && isPastDue(due, localTimeAt(nowMs, zone).slice(0, 10), zone);
}
