import type { Priority } from "../../events/proposals/categorize.ts";
import { dueDay } from "../work/dates/due-day.ts";
import { localTimeAt } from "../work/dates/zone.ts";
import type { Categorized } from "./draft.ts";
import type { Known } from "./item-view.ts";
import { atMost, isOver } from "./priority.ts";
import { type Dated, writtenAt } from "./written-at.ts";

type Clock = Pick<Known, "nowMs" | "zone">;

const dayMs = 24 * 3_600_000;

/** So long after its day something is waited for. */
const waitedForDays = 7;
/** So long it may still be wanted; and so long what names no day is of these days. */
export const openDays = 14;

/**
 * Days, as the person's calendar has them, that something stands open: since it was due, or since it was written where that
 * is later, as a reminder is.
 */
export function daysOpen(due: string | null, item: Dated, { nowMs, zone }: Clock): number {
  const dayOf = (ms: number) => localTimeAt(ms, zone).slice(0, 10);
  const written = dayOf(writtenAt(item));
  const day = due === null ? written : dueDay(due, zone);
  return Math.round((Date.parse(dayOf(nowMs)) - Math.max(Date.parse(day), Date.parse(written))) / dayMs);
}

/** What priority is left of one when what it is about lies behind: a day keeps its date, and hurries nobody any more. */
export function agedPriority(priority: Priority, due: string | null, item: Dated, clock: Clock): Priority {
  const days = daysOpen(due, item, clock);
  if (due !== null && days > openDays) return "none";
  return days > (due === null ? openDays : waitedForDays) ? atMost(priority, "later") : priority;
}

/** The same of what was made of an item; an event is over by its own times, and a series goes on after its first. */
export function aged(result: Categorized, item: Dated, clock: Clock): Categorized {
  const { category, priority, draft } = result;
  const { start, end, zone, due, calendar } = draft;
  if (start === null || end === null) return { ...result, priority: agedPriority(priority, due, item, clock) };
  const isPast = isOver({ start, end, zone }, clock) && (calendar?.recurrence ?? []).length === 0;
  return category === "event" && isPast ? { ...result, priority: "none" } : result;
}
