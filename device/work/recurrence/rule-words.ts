import { dateOf, dayNumber, weekdayOf } from "./days.ts";
import type { RuleParts } from "./rule-parts.ts";

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = "January,February,March,April,May,June,July,August,September,October,November,December".split(",");
const firstTen = ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const units = { DAILY: "day", WEEKLY: "week", MONTHLY: "month", YEARLY: "year" } as const;
const workdays = "1,2,3,4,5";

/** `3 March 2027` of `2027-03-03`. */
export const dayInWords = (day: string): string =>
  `${Number(day.slice(8, 10))} ${months[Number(day.slice(5, 7)) - 1]} ${day.slice(0, 4)}`;

/**
 * A rule in English words, without when it ends: `every second Friday`, `every month on the last day`.
 *
 * @param start when its series begins: a day, or a local time
 * @returns undefined for what is said by no words that are short
 */
export function ruleInWords(parts: RuleParts, start: string): string | undefined {
  const { frequency, interval, positions, monthDays } = parts;
  // There is no such day.
  if (positions?.has(0) === true || monthDays?.has(0) === true) return undefined;
  const chosen = positions === undefined ? undefined : positionWords(parts);
  if (positions !== undefined && chosen === undefined) return undefined;
  const unit = `every ${interval === 1 ? "" : `${nth(interval)} `}${units[frequency]}`;
  switch (frequency) {
    case "DAILY":
      return daily(parts, unit);
    case "WEEKLY":
      return chosen === undefined ? weekly(parts, unit, start) : undefined;
    case "MONTHLY":
      return `${unit} on ${chosen ?? daysOfMonth(parts, start)}${onlyIn(parts)}`;
    case "YEARLY":
      return `${unit} on ${chosen === undefined ? daysOfYear(parts, start) : `${chosen}${ofMonths(parts)}`}`;
  }
}

function daily(parts: RuleParts, unit: string): string {
  const { interval, monthDays, weekdays: named } = parts;
  const days = named === undefined ? undefined : [...named.keys()];
  const every = days !== undefined && interval === 1 && monthDays === undefined ? everyOf(days) : undefined;
  const on = monthDays === undefined ? "" : ` on ${monthDayWords(monthDays)} of the month`;
  const ifIs = days === undefined || every !== undefined ? "" : ` if that is ${oneOf(days)}`;
  return `${every ?? unit}${on}${ifIs}${onlyIn(parts)}`;
}

function weekly(parts: RuleParts, unit: string, start: string): string {
  const { interval, weekStart, monthDays } = parts;
  const days = [...(parts.weekdays?.keys() ?? [weekdayOf(dayNumber(start))])];
  const ordered = days.toSorted((one, other) => ((one - weekStart + 7) % 7) - ((other - weekStart + 7) % 7));
  const [only = "", another] = ordered.map(weekdayName);
  const every =
    interval === 1
      ? everyOf(ordered)
      : another === undefined
        ? `every ${nth(interval)} ${only}`
        : `${unit} on ${listed(ordered.map(weekdayName))}`;
  return `${every}${monthDays === undefined ? "" : ` if that is ${monthDayWords(monthDays)} of its month`}${onlyIn(parts)}`;
}

/** `the 27th`, `the first Thursday and the last Friday`. */
function daysOfMonth({ monthDays, weekdays: named }: RuleParts, start: string): string {
  if (named === undefined) return monthDayWords(monthDays ?? new Set([dateOf(dayNumber(start)).date]));
  const days = weekdayWords(named);
  return monthDays === undefined
    ? listed(days.map(([the, day]) => `${the} ${day}`))
    : `${monthDayWords(monthDays)} if that is ${listed(
        days.map(([the, day]) => (the === "each" ? `a ${day}` : `${the} ${day}`)),
        "or",
      )}`;
}

function daysOfYear(parts: RuleParts, start: string): string {
  const { months: named, monthDays, weekdays: ofWeek } = parts;
  const first = dateOf(dayNumber(start));
  if (ofWeek !== undefined && named === undefined && monthDays === undefined) {
    return `${daysOfMonth(parts, start)}${[...ofWeek.values()].every((nths) => nths.has(0)) ? "" : " of the year"}`;
  }
  if (ofWeek !== undefined || (monthDays !== undefined && named === undefined)) {
    return `${daysOfMonth(parts, start)}${ofMonths(parts)}`;
  }
  const [month, anotherMonth] = named ?? [first.month];
  const [date, anotherDate] = monthDays ?? [first.date];
  const isOne = anotherMonth === undefined && anotherDate === undefined;
  if (isOne && month !== undefined && date !== undefined && date > 0) return `${date} ${monthName(month)}`;
  return `${daysOfMonth(parts, start)}${ofMonths(parts)}`;
}

/** What BYSETPOS chooses, of days of the week or of a month: `the last day from Monday to Friday`. */
function positionWords({
  positions,
  monthDays,
  weekdays: named,
  frequency,
  months: ofYear,
}: RuleParts): string | undefined {
  if (positions === undefined || (frequency === "YEARLY" && ofYear?.size !== 1)) return undefined;
  const which = listed([...positions].map((position) => nth(position)));
  if (named === undefined) return undefined;
  if (monthDays !== undefined || [...named.values()].some((nths) => !nths.has(0) || nths.size > 1)) return undefined;
  const days = [...named.keys()];
  return `the ${which} ${daySpan(days) ?? listed(days.toSorted(fromMonday).map(weekdayName), "or")}`;
}

const ofMonths = ({ months: named }: RuleParts): string =>
  ` of ${named === undefined ? "each month" : monthNames(named)}`;
const onlyIn = ({ months: named }: RuleParts): string => (named === undefined ? "" : `, only in ${monthNames(named)}`);
const monthNames = (named: ReadonlySet<number>): string =>
  listed([...named].toSorted((one, other) => one - other).map(monthName));

const everyOf = (days: readonly number[]): string => `every ${daySpan(days) ?? listed(days.map(weekdayName))}`;
const oneOf = (days: readonly number[]): string =>
  daySpan(days) === undefined ? `a ${listed(days.toSorted(fromMonday).map(weekdayName), "or")}` : `a ${daySpan(days)}`;

/** Of all days of a week, and of those on which most people work. */
function daySpan(days: readonly number[]): string | undefined {
  if (days.length === weekdays.length) return "day";
  return days.toSorted((one, other) => one - other).join() === workdays ? "day from Monday to Friday" : undefined;
}

const fromMonday = (one: number, other: number): number => ((one + 6) % 7) - ((other + 6) % 7);

function weekdayWords(named: NonNullable<RuleParts["weekdays"]>): [the: string, day: string][] {
  return [...named]
    .toSorted(([one], [other]) => fromMonday(one, other))
    .flatMap(([day, nths]): [string, string][] =>
      nths.has(0)
        ? [["each", weekdayName(day)]]
        : [...nths].map((number): [string, string] => [`the ${nth(number)}`, weekdayName(day)]),
    );
}

/** `the 1st and 15th`, `the last day`. */
function monthDayWords(days: ReadonlySet<number>): string {
  const from = [...days].filter((day) => day > 0).toSorted((one, other) => one - other);
  const back = [...days].filter((day) => day < 0).toSorted((one, other) => other - one);
  const ends = back.map((day) => (day === -1 ? "the last day" : `the last day but ${ordinaryNumber(-day - 1)}`));
  return listed([...from.map((day, at) => `${at === 0 ? "the " : ""}${ordinal(day)}`), ...ends]);
}

const weekdayName = (day: number): string => weekdays[day] ?? "";
const monthName = (month: number): string => months[month - 1] ?? String(month);
const ordinaryNumber = (number: number): string => ["", "one", "two", "three"][number] ?? String(number);

/** `second`, `12th`, `last`, `second last`. */
function nth(number: number): string {
  if (number === -1) return "last";
  if (number < 0) return `${nth(-number)} last`;
  return firstTen[number] ?? ordinal(number);
}

function ordinal(number: number): string {
  const isTeen = Math.trunc((number % 100) / 10) === 1;
  return `${number}${(isTeen ? undefined : ["th", "st", "nd", "rd"][number % 10]) ?? "th"}`;
}

/** `Monday, Wednesday and Friday`. */
export function listed(words: readonly string[], last = "and"): string {
  const [end = "", ...rest] = words.toReversed();
  return rest.length === 0 ? end : `${rest.toReversed().join(", ")} ${last} ${end}`;
}
