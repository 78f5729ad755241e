import { localTimeAt } from "../dates/zone.ts";

/** A day by its number: days since 1 January 1970. */
export type DayNumber = number;

const dayMs = 86_400_000;
/** A rule that counts its times is followed for so many days: fifty years. */
const mostCounted = 50 * 366;

/** The number of a day. @param day `yyyy-mm-dd` */
export const dayNumber = (day: string): DayNumber => Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs);
/** The day of a number, `yyyy-mm-dd`. */
export const dayOfNumber = (number: DayNumber): string => new Date(number * dayMs).toISOString().slice(0, 10);

/** One of BYDAY: every Tuesday, or the second (2) or the last (-1) one of its month or year. */
interface NamedDay {
  readonly nth: number;
  /** Sunday is 0. */
  readonly weekday: number;
}

interface Parts {
  readonly frequency: "DAILY" | "WEEKLY" | "MONTHLY" | "YEARLY";
  readonly interval: number;
  readonly weekStart: number;
  readonly months: ReadonlySet<number> | undefined;
  readonly monthDays: readonly number[] | undefined;
  readonly weekdays: readonly NamedDay[] | undefined;
  readonly positions: readonly number[] | undefined;
}

/** A rule of a series. */
export interface Rule extends Parts {
  readonly first: DayNumber;
  /** Its last day, where it has one that is not behind `day`: what counts its times is followed no further than it is asked. */
  lastBy(day: DayNumber): DayNumber;
}

type Unbounded = Omit<Rule, "lastBy">;

const knownParts: ReadonlySet<string> = new Set([
  ...["FREQ", "INTERVAL", "COUNT", "UNTIL", "WKST"],
  ...["BYMONTH", "BYMONTHDAY", "BYDAY", "BYSETPOS"],
]);
const weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const frequencies = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"] as const;

/** When a series begins, as clocks show it where it takes place. */
export interface SeriesStart {
  /** A day, or a local time. */
  readonly start: string;
  readonly zone: string | null;
}

/**
 * A rule of RFC 5545 §3.3.10, as far as it is a matter of dividing: by day, week, month or year, with INTERVAL, COUNT,
 * UNTIL, BYMONTH, BYMONTHDAY, BYDAY and BYSETPOS.
 *
 * Not by a library's iterator: rules come from invitations of strangers, and there are some (the thirtieth of February, every
 * day) at which one searches without end. Whether a day belongs to a rule is a division.
 *
 * @param line `RRULE:FREQ=WEEKLY;BYDAY=TU`
 * @returns undefined for a rule with other parts
 */
export function ruleOf(line: string, series: SeriesStart): Rule | undefined {
  const given = new Map(
    line
      .slice("RRULE:".length)
      .toUpperCase()
      .split(";")
      .map((part): [string, string] => {
        const [name = "", value = ""] = part.split("=");
        return [name, value];
      }),
  );
  const frequency = frequencies.find((name) => name === given.get("FREQ"));
  if (frequency === undefined || [...given.keys()].some((name) => !knownParts.has(name))) return undefined;
  const weekdays = listed(given.get("BYDAY"))?.map(namedDay);
  if (weekdays?.includes(undefined) === true) return undefined;
  const parts: Parts = {
    frequency,
    interval: Math.max(1, Math.trunc(Number(given.get("INTERVAL") ?? 1)) || 1),
    weekStart: Math.max(0, weekdayNames.indexOf(given.get("WKST") ?? "MO")),
    months: setOf(numbersIn(given.get("BYMONTH"))),
    monthDays: numbersIn(given.get("BYMONTHDAY")),
    weekdays: weekdays?.flatMap((each) => each ?? []),
    positions: numbersIn(given.get("BYSETPOS")),
  };
  const rule = { ...parts, first: dayNumber(series.start.slice(0, 10)) };
  const [until, count] = [given.get("UNTIL"), given.get("COUNT")];
  const last = until === undefined ? Number.POSITIVE_INFINITY : lastDayUntil(until, series);
  const counted = count === undefined ? undefined : counter(rule, Number(count));
  return { ...rule, lastBy: (day) => Math.min(last, counted?.(day) ?? last) };
}

/** Whether one of a series begins on a day by its rule. */
export const follows = (rule: Rule, day: DayNumber): boolean =>
  day >= rule.first && isOfRule(rule, day) && day <= rule.lastBy(day);

function isOfRule(rule: Unbounded, day: DayNumber): boolean {
  if (!isOfParts(rule, day)) return false;
  if (rule.positions === undefined) return true;
  const all = daysOfPeriod(rule, day).filter((each) => isOfParts(rule, each));
  const at = all.indexOf(day);
  return rule.positions.some((position) => (position > 0 ? position - 1 : all.length + position) === at);
}

/** The same but for BYSETPOS, which chooses among these. */
function isOfParts(rule: Unbounded, day: DayNumber): boolean {
  const { frequency, interval, months, monthDays, weekdays, first } = rule;
  const [one, other] = [dateOf(first), dateOf(day)];
  if (months !== undefined && !months.has(other.month)) return false;
  const isMonthDay = monthDays === undefined || monthDays.some((each) => isDayOfMonth(each, other));
  switch (frequency) {
    case "DAILY":
      return (day - first) % interval === 0 && isMonthDay && (weekdays?.some(isWeekday(day)) ?? true);
    case "WEEKLY": {
      const weeks = (weekOf(day, rule.weekStart) - weekOf(first, rule.weekStart)) / 7;
      return (
        weeks % interval === 0 && isMonthDay && (weekdays?.some(isWeekday(day)) ?? weekday(day) === weekday(first))
      );
    }
    case "MONTHLY": {
      const distance = (other.year - one.year) * 12 + other.month - one.month;
      if (distance % interval !== 0 || !isMonthDay) return false;
      if (weekdays !== undefined) return weekdays.some((each) => isNth(each, day, monthOf(day)));
      return monthDays !== undefined || one.date === other.date;
    }
    case "YEARLY": {
      if ((other.year - one.year) % interval !== 0 || !isMonthDay) return false;
      const within = months === undefined && monthDays === undefined ? yearOf(day) : monthOf(day);
      if (weekdays !== undefined) return weekdays.some((each) => isNth(each, day, within));
      if (monthDays !== undefined) return true;
      return one.date === other.date && (months !== undefined || one.month === other.month);
    }
  }
}

interface Span {
  readonly from: DayNumber;
  readonly to: DayNumber;
}

const isWeekday =
  (day: DayNumber) =>
  (each: NamedDay): boolean =>
    each.weekday === weekday(day);

function isNth({ nth, weekday: wanted }: NamedDay, day: DayNumber, { from, to }: Span): boolean {
  if (weekday(day) !== wanted) return false;
  if (nth === 0) return true;
  const place = nth > 0 ? Math.floor((day - from) / 7) + 1 : -(Math.floor((to - day) / 7) + 1);
  return place === nth;
}

const isDayOfMonth = (wanted: number, { year, month, date }: ReturnType<typeof dateOf>): boolean =>
  (wanted > 0 ? wanted : monthLength(year, month) + 1 + wanted) === date;

/** The days BYSETPOS counts among. */
function daysOfPeriod({ frequency, weekStart }: Unbounded, day: DayNumber): DayNumber[] {
  const week = weekOf(day, weekStart);
  const { from, to } = {
    DAILY: { from: day, to: day },
    WEEKLY: { from: week, to: week + 6 },
    MONTHLY: monthOf(day),
    YEARLY: yearOf(day),
  }[frequency];
  return Array.from({ length: to - from + 1 }, (_, after) => from + after);
}

/** The day of the last of so many times, once it has been asked for a day that is not before it; infinite until then. */
function counter(rule: Unbounded, count: number): (day: DayNumber) => DayNumber {
  if (!(count >= 1)) return () => rule.first - 1;
  const isPlain = !rule.months && !rule.monthDays && !rule.weekdays && !rule.positions;
  const plainDays = isPlain ? ({ DAILY: 1, WEEKLY: 7, MONTHLY: 0, YEARLY: 0 } as const)[rule.frequency] : 0;
  if (plainDays > 0) return () => rule.first + (count - 1) * rule.interval * plainDays;
  const end = rule.first + mostCounted;
  let [next, times, last] = [rule.first, 0, Number.POSITIVE_INFINITY];
  return (day) => {
    for (; next <= Math.min(day, end) && times < count; next += 1) {
      if (isOfRule(rule, next)) times += 1;
      if (times === count) last = next;
    }
    return day > end ? Math.min(last, end) : last;
  };
}

/** UNTIL is a day, or a moment in UTC: one of the series that begins later on that day is none any more. */
function lastDayUntil(value: string, { start, zone }: SeriesStart): DayNumber {
  const until = timeIn(value, zone);
  if (until === undefined) return Number.NEGATIVE_INFINITY;
  const day = dayNumber(until.slice(0, 10));
  return until.length > 10 && start.length > 10 && until.slice(11) < start.slice(11) ? day - 1 : day;
}

/** A date or time as content lines write it (RFC 5545 §3.3.5), as clocks of a zone show it; undefined where it is none. */
export function timeIn(value: string, zone: string | null): string | undefined {
  const [, year, month, date, time = ""] = /^(\d{4})-?(\d\d)-?(\d\d)(T.*)?$/i.exec(value.trim()) ?? [];
  if (year === undefined) return undefined;
  const day = `${year}-${month}-${date}`;
  if (Number.isNaN(Date.parse(`${day}T00:00:00Z`))) return undefined;
  const [, hours, minutes, seconds, utc] = /^T([01]\d|2[0-3]):?([0-5]\d):?([0-5]\d)(Z)?$/i.exec(time) ?? [];
  if (hours === undefined) return day;
  const local = `${day}T${hours}:${minutes}:${seconds}`;
  return utc === undefined || zone === null ? local : localTimeAt(Date.parse(`${local}Z`), zone);
}

function namedDay(text: string): NamedDay | undefined {
  const [, nth = "", name = ""] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? [];
  const at = weekdayNames.indexOf(name);
  return at === -1 ? undefined : { nth: Number(nth), weekday: at };
}

const listed = (value: string | undefined): string[] | undefined => value?.split(",");
const numbersIn = (value: string | undefined): number[] | undefined => listed(value)?.map(Number);
const setOf = (numbers: number[] | undefined): ReadonlySet<number> | undefined => numbers && new Set(numbers);

function dateOf(day: DayNumber): { year: number; month: number; date: number } {
  const at = new Date(day * dayMs);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() };
}

/** 1 January 1970 was a Thursday. */
const weekday = (day: DayNumber): number => (((day + 4) % 7) + 7) % 7;
const weekOf = (day: DayNumber, weekStart: number): DayNumber => day - ((weekday(day) - weekStart + 7) % 7);

const monthLength = (year: number, month: number): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

function monthOf(day: DayNumber): Span {
  const { year, month, date } = dateOf(day);
  return { from: day - date + 1, to: day - date + monthLength(year, month) };
}

function yearOf(day: DayNumber): Span {
  const from = dayNumber(`${dayOfNumber(day).slice(0, 4)}-01-01`);
  return { from, to: from + (isLeap(dateOf(day).year) ? 365 : 364) };
}
