import { type Attended, byAttention } from "../proposals/attention/order.ts";
import { closedLately } from "../proposals/shown/closed-lately.ts";
import { dayNamed } from "../proposals/shown/next-time.ts";
import type { DeviceStore } from "../store/open.ts";
import type { StoredProposal } from "../store/schema.ts";
import type { ClosedUndecided } from "../store/tables/proposals/list.ts";
import { dayAfter, localTimeAt } from "../work/dates/zone.ts";
import { type Here, isOlder, priorityNow } from "./ageing.ts";
import { type WeekAhead, weekAhead } from "./days-ahead.ts";
import { type ProjectNews, projectNews } from "./project-news.ts";

/** What a person wants to know first: what waits for them, and what the week brings. */
export interface MorningBrief {
  /** What deserves attention most, in that order. */
  readonly waiting: readonly Attended[];
  /** How many more wait that are of the same kind as these: to be done, answered or decided. */
  readonly more: number;
  /** What is only to be known, or of programs: named by number. */
  readonly onlyToKnow: number;
  /** What nobody has decided for so long, or whose day is over: named by number. */
  readonly older: number;
  /** Proposals nobody has looked at yet. */
  readonly unread: number;
  /** Out of sight by the person's wish. */
  readonly snoozed: number;
  /** Decided here and, otherwise and first, on another device. */
  readonly conflicts: number;
  /** What came to its end of late because nobody had decided it. */
  readonly closedUndecided: ClosedUndecided;
  readonly week: WeekAhead;
  /** How many of what waits name a day of the week: the person has not taken them on. */
  readonly namingDays: number;
  /** What has changed in projects, as scans of this device have found it. */
  readonly projects: readonly ProjectNews[];
}

/** Lines a person reads before coffee. */
const mostWaiting = 12;
/** What a person does something about. */
const toDo: ReadonlySet<string> = new Set(["task", "event", "reply", "actionable_only", "unprocessed"]);

/**
 * Worked out on the device, without a model. What has become old sinks into a number, what is snoozed is left out, and a
 * day that has come nearer counts as near as it is now.
 */
export function morningBrief(store: DeviceStore, here: Here): MorningBrief {
  const { nowMs } = here;
  const pending = store.proposals.list({ statuses: ["pending"], snoozed: { atMs: nowMs, isWanted: false } });
  const isToDo = ({ priority, category }: StoredProposal) => priority !== "none" || toDo.has(category);
  const rows = pending.filter(isToDo);
  const fresh = rows.filter((row) => !isOlder(row, here));
  const waiting = byAttention(
    store,
    fresh.map((row) => ({ ...row, priority: priorityNow(row, here) })),
  );
  const shown = waiting.slice(0, mostWaiting);
  const today = localTimeAt(nowMs, here.zone).slice(0, 10);
  const isThisWeek = (day: string) => day >= today && day <= dayAfter(today, 6);
  return {
    waiting: shown,
    more: Math.max(0, waiting.length - mostWaiting),
    onlyToKnow: pending.length - rows.length,
    older: rows.length - fresh.length,
    unread: pending.filter(({ category }) => category === "unprocessed").length,
    snoozed: store.proposals.snoozed().proposals,
    conflicts: store.proposals.count({ statuses: ["approved", "rejected"], isInConflict: true }),
    closedUndecided: closedLately(store, nowMs),
    namingDays: shown.filter(({ row }) => isThisWeek(dayNamed(row, here))).length,
    week: weekAhead(store.work.task.list(), store.work.event.list(), here),
    projects: projectNews(store, nowMs),
  };
}
