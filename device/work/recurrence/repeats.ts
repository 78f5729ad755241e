import type { Here } from "../dates/read-date.ts";
import { localTimeAt } from "../dates/zone.ts";
import { timeHere } from "../events/event-days.ts";
import { dayNumber, dayOfNumber } from "./days.ts";
import { lastDayUntil } from "./rule.ts";
import { type RuleParts, readParts } from "./rule-parts.ts";
import { nameOf, type SeriesEvent } from "./series.ts";
import { Steps } from "./steps.ts";
import { listedTimes } from "./times.ts";

/** Rules of one series that are told, and days that are added or left out; more than these nobody reads. */
const most = 3;
/** Of a rule that is told as it is written: a stranger wrote it. */
const mostRuleCharacters = 80;

/** A rule of a series, as it is told. */
export interface ToldRule {
  /** Undefined where it says what is not known. */
  readonly parts: RuleParts | undefined;
  /** The last day on which it may take place; null where nobody has said. */
  readonly until: string | null;
  /** As it is written, and no more of it than fits. */
  readonly written: string;
}

/** Days that are not over, in their order. */
export interface ToldDays {
  /** Local times where they are others than those of the series. */
  readonly days: readonly string[];
  readonly more: number;
}

/** How often an event takes place, whatever language says it. */
export interface Repeats {
  readonly rules: readonly ToldRule[];
  readonly moreRules: number;
  readonly added: ToldDays;
  readonly leftOut: ToldDays;
  /** The zone whose days these are, where the event is on another day for its reader; null where it is not. */
  readonly daysOf: string | null;
}

/**
 * What is told of how often an event takes place.
 *
 * @param here where its reader is, and when
 */
export function repeatsOf(event: SeriesEvent, { nowMs, zone }: Here): Repeats {
  const today = localTimeAt(nowMs, zone).slice(0, 10);
  const named = (name: string) => event.recurrence.filter((line) => nameOf(line) === name);
  const rules = named("RRULE");
  const steps = new Steps();
  const daysOf = (name: string) => coming(listedTimes(named(name), event.zone, steps), event, today);
  const isOtherDay = timeHere(event.start, event.zone, zone).slice(0, 10) !== event.start.slice(0, 10);
  return {
    rules: rules.slice(0, most).map((line) => toldRule(line, event)),
    moreRules: Math.max(0, rules.length - most),
    added: daysOf("RDATE"),
    leftOut: daysOf("EXDATE"),
    daysOf: isOtherDay ? event.zone : null,
  };
}

function toldRule(line: string, event: SeriesEvent): ToldRule {
  const parts = readParts(line);
  const written = asWritten(line);
  if (parts?.until === undefined) return { parts, until: null, written };
  const until = lastDayUntil(parts.until, event);
  return until === undefined
    ? { parts: undefined, until: null, written }
    : { parts, until: dayOfNumber(until), written };
}

function asWritten(line: string): string {
  const rule = line.slice(line.indexOf(":") + 1);
  return rule.length > mostRuleCharacters ? `${rule.slice(0, mostRuleCharacters)}…` : rule;
}

function coming(times: readonly (string | undefined)[], { start, isAllDay }: SeriesEvent, today: string): ToldDays {
  const from = dayNumber(today);
  const ahead = [...new Set(times)].filter((each) => each !== undefined).filter((each) => dayNumber(each) >= from);
  const days = ahead
    .toSorted()
    .map((each) => (isAllDay || each.slice(10) === start.slice(10) ? each.slice(0, 10) : each));
  return { days: days.slice(0, most), more: Math.max(0, days.length - most) };
}
