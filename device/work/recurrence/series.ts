import { compared } from "../../compared.ts";
import { isDay } from "../dates/due-day.ts";
import type { CalendarEvent } from "../entities.ts";
import type { EventTimes } from "../events/event-times.ts";
import { type DayNumber, dayNumber, dayOfNumber, lastDay } from "./days.ts";
import { type Rule, ruleOf } from "./rule.ts";
import { Steps } from "./steps.ts";
import { listedTimes } from "./times.ts";

/** How far a series is followed for its next time: ten years. */
export const longestLookDays = 3_660;

/**
 * Why not all times of a series are known. `rule`: one of its rules or dates is not understood, and counts for nothing.
 * `steps`: it has more of them than are worked out, and its first time alone is known.
 */
export type SeriesGap = "rule" | "steps";

/** What makes a series of an event. */
export type SeriesEvent = Pick<CalendarEvent, "start" | "zone" | "isAllDay" | "recurrence">;

/** Days or local times, by the day they are of. */
export type ByDay = ReadonlyMap<DayNumber, readonly string[]>;

/** When the times of an event are, of one that takes place more than once. */
export interface Series {
  /** The first day, where it takes place. */
  readonly first: DayNumber;
  /** Null where all of its times are known. */
  readonly gap: SeriesGap | null;
  /** What it took up to now to work it out. */
  readonly steps: Pick<Steps, "spent">;
  /**
   * When those of its times begin that do so on some days, both included, where it takes place: local times, or days where
   * it lasts all day; in their order.
   *
   * @param apart what does not take place beside that which it says itself
   */
  startsBetween(from: DayNumber, to: DayNumber, apart?: ByDay): Generator<string>;
}

/** Lists look at an event more than once. */
const known = new WeakMap<SeriesEvent, Series>();

/**
 * The times of an event by its rules (RRULE), with what is added (RDATE) and left out (EXDATE). It is worked out once, and
 * of what a stranger wrote no more than so many {@link Steps | steps}.
 */
export function seriesOf(event: SeriesEvent): Series {
  const before = known.get(event);
  if (before !== undefined) return before;
  const fresh = workedOut(event);
  known.set(event, fresh);
  return fresh;
}

function workedOut(event: SeriesEvent): Series {
  const { zone, recurrence } = event;
  const steps = new Steps();
  const named = (name: string) => recurrence.filter((line) => nameOf(line) === name);
  const added = listedTimes(named("RDATE"), zone, steps);
  const leftOut = listedTimes(named("EXDATE"), zone, steps);
  const rules: (Rule | undefined)[] = [];
  for (const line of named("RRULE")) {
    // Each is asked for each day of a look.
    steps.spend(longestLookDays);
    if (steps.areUsedUp) break;
    rules.push(ruleOf(line, event, steps));
  }
  if (steps.areUsedUp) return timesOf(event, { rules: [], added: [], leftOut: [] }, { gap: "steps", steps });
  const isWhole = [...rules, ...added, ...leftOut].every((each) => each !== undefined);
  const said = { rules: rules.filter(isThere), added: added.filter(isThere), leftOut: leftOut.filter(isThere) };
  return timesOf(event, said, { gap: isWhole ? null : "rule", steps });
}

const isThere = <T>(each: T | undefined): each is T => each !== undefined;

/** `RDATE` of `RDATE;TZID=Europe/Berlin:20261127T170000`. */
export const nameOf = (line: string): string => (/^[^;:]*/.exec(line)?.[0] ?? "").toUpperCase();

interface Said {
  readonly rules: readonly Rule[];
  readonly added: readonly string[];
  readonly leftOut: readonly string[];
}

function timesOf(
  { start, isAllDay }: SeriesEvent,
  { rules, added, leftOut }: Said,
  about: Pick<Series, "gap" | "steps">,
): Series {
  const begins = dayNumber(start);
  /** At which its own times begin: `T19:30:00`; empty where it lasts all day. */
  const time = start.slice(10);
  const ownOn = (day: DayNumber) => dayOfNumber(day) + time;
  // What is added as a day begins when the others do, and what lasts all day at no time of it.
  const more = byDay(added.map((each) => (isAllDay || isDay(each) ? each.slice(0, 10) + time : each)));
  const less = byDay(leftOut.map((each) => (isAllDay ? each.slice(0, 10) : each)));
  let [first, last] = [begins, begins];
  for (const day of more.keys()) [first, last] = [Math.min(first, day), Math.max(last, day)];
  for (const rule of rules) last = Math.max(last, rule.last);
  return {
    ...about,
    first,
    *startsBetween(from, to, apart) {
      for (let day = Math.max(from, first); day <= Math.min(to, last, lastDay); day += 1) {
        const own = day === begins || rules.some((rule) => rule.has(day)) ? [ownOn(day)] : [];
        const starts = [...new Set([...own, ...(more.get(day) ?? [])])];
        if (starts.length === 0) continue;
        const gone = [...(less.get(day) ?? []), ...(apart?.get(day) ?? [])];
        yield* without(starts, gone, ownOn(day)).toSorted(compared);
      }
    },
  };
}

/**
 * The starts of a day that are left when some are taken out: a day takes out all of them, a time the one that begins then.
 * One that none begins at means the series' own: when that was moved to another time, these lines stayed as they were.
 */
function without(starts: readonly string[], gone: readonly string[], own: string): readonly string[] {
  if (gone.length === 0) return starts;
  if (gone.some(isDay)) return [];
  const meant = new Set(gone.map((each) => (starts.includes(each) ? each : own)));
  return starts.filter((each) => !meant.has(each));
}

/** Days and local times by the day they are of. */
export const byDay = (times: readonly string[]): ByDay => Map.groupBy(times, dayNumber);

/** The same event at another time: as long, as clocks show it there. @param start a local time, or a day where it lasts all day */
export function movedTo<E extends EventTimes>(event: E, start: string): E {
  if (start === event.start) return event;
  const { isAllDay } = event;
  const shownMs = (value: string) => Date.parse(isAllDay ? `${value}T00:00:00Z` : `${value}Z`);
  const end = new Date(shownMs(event.end) - shownMs(event.start) + shownMs(start)).toISOString();
  // No calendar has a day after this one.
  if (end.startsWith("+")) return { ...event, start, end: isAllDay ? "9999-12-31" : "9999-12-31T23:59:59" };
  return { ...event, start, end: end.slice(0, isAllDay ? 10 : 19) };
}
