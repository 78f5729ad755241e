import { type Priority, priorities } from "../../events/proposals/categorize.ts";
import { agedPriority, daysOpen, openDays } from "../categorize/aged.ts";
import { isOver, priorityOfDue, priorityOfEvent } from "../categorize/priority.ts";
import { writtenAt } from "../categorize/written-at.ts";
import type { StoredProposal } from "../store/schema.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How long something is of the morning, counted from when it was written. What was due is as long as it is wanted ({@link openDays}). */
const ofTheMorningMs = {
  /** A code to sign in with is good for minutes; a notice about an account is read at once or not needed. */
  account: dayMs,
  /** That something does not take place. */
  cancelled: 2 * dayMs,
  /** Without a day of its own. */
  undated: openDays * dayMs,
} as const;

/** Where and when the person is. */
export interface Here {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** An IANA zone. */
  readonly zone: string;
}

/**
 * Whether a proposal that waits is of the morning no more: it came long ago, its day is over, or what it is about does not
 * take place. Nothing is decided or hidden by that: the lists have all of them.
 */
export function isOlder(row: StoredProposal, here: Here): boolean {
  const { payload, reasonCode } = row;
  const times = timesOf(row);
  if (times !== undefined && isOver(times, here)) return true;
  const ageMs = here.nowMs - writtenAt(row);
  const isCancelled = payload?.calendar?.status === "cancelled" || payload?.reasons.includes("cancelled") === true;
  if (isCancelled) return ageMs > ofTheMorningMs.cancelled;
  if (times !== undefined) return false;
  if (payload?.due != null) return daysOpen(payload.due, row, here) > openDays;
  const isAccount = payload?.reasons.includes("account") === true || reasonCode === "account_or_security";
  return ageMs > (isAccount ? ofTheMorningMs.account : ofTheMorningMs.undated);
}

/**
 * How soon a proposal deserves attention now: the day it names has come nearer since it was looked at. That lowers nothing, and
 * raises nothing of a sender the person does not know, nor what deserved none.
 */
export function priorityNow(row: StoredProposal, here: Here): Priority {
  const { priority, payload } = row;
  if (payload === null || priority === "none" || !payload.reasons.includes("from_known")) return priority;
  const times = timesOf(row);
  const { due } = payload;
  const day = due === null ? priority : agedPriority(priorityOfDue(due, here), due, row, here);
  const now = times === undefined ? day : priorityOfEvent(times, here);
  return priorities.indexOf(now) < priorities.indexOf(priority) ? now : priority;
}

/** When it takes place, of an event that is one; a series goes on after its first time. */
function timesOf({ payload, category }: StoredProposal) {
  if (payload === null || payload.start === null || payload.end === null) return undefined;
  const { start, end, zone, calendar } = payload;
  const isEvent = category === "event" || calendar !== null;
  return isEvent && (calendar?.recurrence ?? []).length === 0 ? { start, end, zone } : undefined;
}
