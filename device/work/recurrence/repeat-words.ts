import type { Here } from "../dates/read-date.ts";
import { localTimeAt } from "../dates/zone.ts";
import { timeHere } from "../events/event-days.ts";
import { dayNumber, dayOfNumber } from "./days.ts";
import { lastDayUntil } from "./rule.ts";
import { readParts } from "./rule-parts.ts";
import { dayInWords, listed, ruleInWords } from "./rule-words.ts";
import { nameOf, type SeriesEvent } from "./series.ts";
import { Steps } from "./steps.ts";
import { listedTimes } from "./times.ts";

/** Rules of one series that are told, and days that are added or left out; more than these nobody reads. */
const most = 3;
/** Of a rule that is told as it is written: a stranger wrote it. */
const mostRuleCharacters = 80;

/**
 * How often an event takes place, in English words: `every second Friday until 3 March 2027, but not on 4 December 2026`.
 * Days that are added or left out are told where they are not over. Empty for an event that takes place once.
 *
 * Where an event is on another day for its reader than where it takes place, it is said whose days these are.
 *
 * @param here where its reader is, and when
 */
export function repeatWords(event: SeriesEvent, { nowMs, zone }: Here): string {
  const today = localTimeAt(nowMs, zone).slice(0, 10);
  const named = (name: string) => event.recurrence.filter((line) => nameOf(line) === name);
  const rules = named("RRULE");
  const told = rules.slice(0, most).map((line) => ruleText(line, event));
  const more = rules.length > most ? [`and ${counted(rules.length - most, "more rule")}`] : [];
  const steps = new Steps();
  const daysOf = (name: string) => coming(listedTimes(named(name), event.zone, steps), event, today);
  const [added, leftOut] = [daysOf("RDATE"), daysOf("EXDATE")];
  const isOtherDay = timeHere(event.start, event.zone, zone).slice(0, 10) !== event.start.slice(0, 10);
  const words = [
    [...told, ...more].join("; "),
    added === "" ? "" : `also on ${added}`,
    leftOut === "" ? "" : `but not on ${leftOut}`,
  ]
    .filter((each) => each !== "")
    .join(", ");
  return words !== "" && isOtherDay ? `${words} (days of ${event.zone})` : words;
}

function ruleText(line: string, event: SeriesEvent): string {
  const parts = readParts(line);
  const until = parts?.until === undefined ? Number.POSITIVE_INFINITY : lastDayUntil(parts.until, event);
  if (parts === undefined || until === undefined) return `by a rule that is not known here (${asWritten(line)})`;
  const words = ruleInWords(parts, event.start);
  if (words === undefined) return `by the rule ${asWritten(line)}`;
  const { count } = parts;
  const times = count === undefined ? "" : count === 1 ? ", once" : `, ${count} times`;
  return `${words}${Number.isFinite(until) ? ` until ${dayInWords(dayOfNumber(until))}` : ""}${times}`;
}

function asWritten(line: string): string {
  const rule = line.slice(line.indexOf(":") + 1);
  return rule.length > mostRuleCharacters ? `${rule.slice(0, mostRuleCharacters)}…` : rule;
}

function coming(times: readonly (string | undefined)[], { start, isAllDay }: SeriesEvent, today: string): string {
  const from = dayNumber(today);
  const ahead = [...new Set(times)].filter((each) => each !== undefined).filter((each) => dayNumber(each) >= from);
  const days = ahead.toSorted().map((each) => {
    const time = each.slice(10);
    return `${dayInWords(each)}${isAllDay || time === "" || time === start.slice(10) ? "" : ` at ${time.slice(1, 6)}`}`;
  });
  const more = days.length > most ? [counted(days.length - most, "more day")] : [];
  return listed([...days.slice(0, most), ...more]);
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
