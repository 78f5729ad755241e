import { type Attended, byAttention } from "../proposals/attention/order.ts";
import type { DeviceStore } from "../store/open.ts";
import { type WeekAhead, weekAhead } from "./days-ahead.ts";

/** What a person wants to know first: what waits for them, and what the week brings. */
export interface MorningBrief {
  /** What deserves attention most, in that order. */
  readonly waiting: readonly Attended[];
  /** How many more wait that are of the same kind as these: to be done, answered or decided. */
  readonly more: number;
  /** What is only to be known, or of programs: named by number. */
  readonly onlyToKnow: number;
  /** Proposals nobody has looked at yet. */
  readonly unread: number;
  readonly week: WeekAhead;
}

/** Lines a person reads before coffee. */
const mostWaiting = 12;
/** What a person does something about. */
const toDo: ReadonlySet<string> = new Set(["task", "event", "reply", "actionable_only", "unprocessed"]);

/** Worked out on the device, without a model. */
export function morningBrief(
  store: DeviceStore,
  here: { readonly nowMs: number; readonly zone: string },
): MorningBrief {
  const pending = byAttention(store, store.proposals.list({ statuses: ["pending"] }));
  const waiting = pending.filter(({ row }) => row.priority !== "none" || toDo.has(row.category));
  return {
    waiting: waiting.slice(0, mostWaiting),
    more: Math.max(0, waiting.length - mostWaiting),
    onlyToKnow: pending.length - waiting.length,
    unread: pending.filter(({ row }) => row.category === "unprocessed").length,
    week: weekAhead(store.work.task.list(), store.work.event.list(), here),
  };
}
