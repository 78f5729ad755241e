import { dateOf, dayNumber, weekdayOf } from "./days.ts";
import type { RuleParts } from "./rule-parts.ts";

/** Which of the weekdays of a month: as far as languages have a word for it. */
export const nthNames: ReadonlyMap<number, NthName> = new Map([
  [0, "each"],
  [1, "first"],
  [2, "second"],
  [3, "third"],
  [4, "fourth"],
  [5, "fifth"],
  [-1, "last"],
  [-2, "secondLast"],
]);
type NthName = "each" | "first" | "second" | "third" | "fourth" | "fifth" | "last" | "secondLast";

/** A day on which something takes place in its week, month or year; Sunday is 0, January is 1. */
export type ShapeDay =
  | { readonly on: "weekday"; readonly weekday: number }
  | { readonly on: "nth"; readonly nth: NthName; readonly weekday: number | "workday" }
  | { readonly on: "date"; readonly date: number }
  | { readonly on: "lastDay" | "lastButOne" }
  | { readonly on: "yearDay"; readonly month: number; readonly date: number };

/** A rule as every language can say it. */
export interface RuleShape {
  readonly unit: "day" | "workdays" | "week" | "month" | "year";
  readonly interval: number;
  readonly days: readonly ShapeDay[];
  /** In these alone; empty where it is in all. */
  readonly months: readonly number[];
}

const workdays = "1,2,3,4,5";
/** The last of these that a month has is its last day. */
const lastDates = "28,29,30,31";
/** Days of a year that are named one by one. */
const mostYearDays = 4;

/**
 * A rule as any language can say it in a few words, without when it ends.
 *
 * @param start when its series begins: a day, or a local time
 * @returns undefined for the rare ones that take more
 */
export function shapeOf(parts: RuleParts, start: string): RuleShape | undefined {
  const { frequency, interval, positions, monthDays, weekdays, months } = parts;
  if ([...(months ?? [])].some((month) => month < 1 || month > 12)) return undefined;
  const shape = (unit: RuleShape["unit"], days: readonly ShapeDay[] | undefined): RuleShape | undefined =>
    days && { unit, interval, days, months: inOrder(months ?? []) };
  switch (frequency) {
    case "DAILY":
      if (monthDays !== undefined || (weekdays !== undefined && interval > 1)) return undefined;
      return weekdays === undefined ? shape("day", []) : shape(...ofWeek(parts, start));
    case "WEEKLY":
      return positions === undefined && monthDays === undefined ? shape(...ofWeek(parts, start)) : undefined;
    case "MONTHLY":
      return shape("month", ofMonth(parts, start));
    case "YEARLY":
      if (weekdays !== undefined) {
        const isOfMonths = months !== undefined && (positions === undefined || months.size === 1);
        return isOfMonths ? shape("year", ofMonth(parts, start)) : undefined;
      }
      // One of all the year's.
      if (monthDays !== undefined && positions !== undefined) return undefined;
      if (monthDays !== undefined && months === undefined) {
        return interval === 1 ? shape("month", ofMonth(parts, start)) : undefined;
      }
      return ofYear(parts, start) ?? shape("year", ofMonth(parts, start));
  }
}

function ofWeek({ interval, weekStart, weekdays }: RuleParts, start: string): [RuleShape["unit"], ShapeDay[]] {
  const named = [...(weekdays?.keys() ?? [weekdayOf(dayNumber(start))])];
  if (interval === 1 && named.length === 7) return ["day", []];
  if (interval === 1 && inOrder(named).join() === workdays) return ["workdays", []];
  const ordered = named.toSorted((one, other) => ((one - weekStart + 7) % 7) - ((other - weekStart + 7) % 7));
  return ["week", ordered.map((weekday) => ({ on: "weekday", weekday }))];
}

function ofMonth({ positions, monthDays, weekdays }: RuleParts, start: string): ShapeDay[] | undefined {
  if (weekdays === undefined) {
    const dates = monthDays ?? new Set([dateOf(dayNumber(start)).date]);
    if (positions === undefined) return datesOf(dates);
    return inOrder(dates).join() === lastDates && inOrder(positions).join() === "-1" ? datesOf(positions) : undefined;
  }
  if (monthDays !== undefined) return undefined;
  const named = [...weekdays].toSorted(([one], [other]) => ((one + 6) % 7) - ((other + 6) % 7));
  if (positions === undefined) {
    return whole(named.flatMap(([weekday, nths]) => inOrder(nths).map((nth) => nthDay(nth, weekday))));
  }
  if (named.some(([, nths]) => !nths.has(0) || nths.size > 1) || positions.has(0)) return undefined;
  // Of all days the second is the date.
  if (named.length === 7) return datesOf(positions);
  const [[only] = [], another] = named;
  const isWorkdays = inOrder(weekdays.keys()).join() === workdays;
  const weekday = isWorkdays ? "workday" : another === undefined ? only : undefined;
  return weekday === undefined ? undefined : whole(inOrder(positions).map((nth) => nthDay(nth, weekday)));
}

/** Each date of each of its months, where these are few. */
function ofYear({ interval, positions, monthDays, months }: RuleParts, start: string): RuleShape | undefined {
  const first = dateOf(dayNumber(start));
  const [ofMonths, dates] = [inOrder(months ?? [first.month]), inOrder(monthDays ?? [first.date])];
  const days = ofMonths.flatMap((month) => dates.map((date): ShapeDay => ({ on: "yearDay", month, date })));
  const isSaid =
    positions === undefined && days.length <= mostYearDays && dates.every((date) => date > 0 && date <= 31);
  return isSaid ? { unit: "year", interval, days, months: [] } : undefined;
}

function datesOf(dates: ReadonlySet<number>): ShapeDay[] | undefined {
  const [fromStart, fromEnd] = [inOrder(dates).filter((date) => date >= 0), inOrder(dates).filter((date) => date < 0)];
  return whole([
    ...fromStart.map((date) => (date > 0 && date <= 31 ? ({ on: "date", date } as const) : undefined)),
    ...fromEnd.map((date) =>
      date === -1 ? ({ on: "lastDay" } as const) : date === -2 ? ({ on: "lastButOne" } as const) : undefined,
    ),
  ]);
}

function nthDay(number: number, weekday: number | "workday"): ShapeDay | undefined {
  const nth = nthNames.get(number);
  return nth === undefined ? undefined : { on: "nth", nth, weekday };
}

const whole = (days: readonly (ShapeDay | undefined)[]): ShapeDay[] | undefined => {
  const known = days.filter((day) => day !== undefined);
  return known.length === days.length ? known : undefined;
};
const inOrder = (numbers: Iterable<number>): number[] => [...numbers].toSorted((one, other) => one - other);
