import { isDay } from "../dates/due-day.ts";
import {
  type DayNumber,
  dateOf,
  dayNumber,
  lastDay,
  monthLength,
  monthsOf,
  type Span,
  spanOfMonths,
  weekdayOf,
  weekStartOf,
} from "./days.ts";
import { type RuleParts, readParts } from "./rule-parts.ts";
import type { Steps } from "./steps.ts";
import { timeIn } from "./times.ts";

/** When a series begins, as clocks show it where it takes place. */
export interface SeriesStart {
  /** A day, or a local time. */
  readonly start: string;
  readonly zone: string | null;
}

/** A rule of a series. */
export interface Rule {
  /** Whether one of the series begins on a day by this rule. */
  has(day: DayNumber): boolean;
  /** The day after which none does; infinite where nobody has said. */
  readonly last: DayNumber;
}

/** What is counted is followed for two hundred years, or so many steps, which is a century at least; it ends there. */
const mostCounted = { days: 200 * 366, steps: 42_000 } as const;
/** Periods of which it is kept what a rule chooses in them: months differ in 84 ways, years in 14. */
const keptPeriods = 128;

/**
 * A rule of RFC 5545 §3.3.10, as far as it is a matter of dividing: by day, week, month or year, with INTERVAL, COUNT,
 * UNTIL, BYMONTH, BYMONTHDAY, BYDAY and BYSETPOS.
 *
 * Not by a library's iterator: rules come from invitations of strangers, and there are some (the thirtieth of February, every
 * day) at which one searches without end. Whether a day belongs to a rule is a division, and what BYSETPOS or COUNT
 * choose is worked out once for periods that are alike.
 *
 * @param line `RRULE:FREQ=WEEKLY;BYDAY=TU`
 * @param steps what it takes is spent here; a rule that is counted when they are used up is of no use
 * @returns undefined for a rule with other parts
 */
export function ruleOf(line: string, series: SeriesStart, steps: Steps): Rule | undefined {
  const parts = readParts(line);
  if (parts === undefined) return undefined;
  const until = parts.until === undefined ? Number.POSITIVE_INFINITY : lastDayUntil(parts.until, series);
  if (until === undefined) return undefined;
  const choice = new Choice(parts, dayNumber(series.start), steps);
  const last = parts.count === undefined ? until : Math.min(until, choice.dayOfTime(parts.count));
  return { last, has: (day) => day <= last && choice.has(day) };
}

/** UNTIL is a day, or a moment in UTC: one of the series that begins later on that day is none any more. */
export function lastDayUntil(value: string, { start, zone }: SeriesStart): DayNumber | undefined {
  const until = timeIn(value, zone);
  if (until === undefined) return undefined;
  const day = dayNumber(until);
  return !isDay(until) && !isDay(start) && until.slice(11) < start.slice(11) ? day - 1 : day;
}

/** The days a rule chooses, from the first one of its series on, before it is said when it ends. */
class Choice {
  readonly #parts: RuleParts;
  readonly #first: DayNumber;
  readonly #firstDate: ReturnType<typeof dateOf>;
  readonly #steps: Steps;
  readonly #known = new Map<number, ReadonlySet<number>>();

  constructor(parts: RuleParts, first: DayNumber, steps: Steps) {
    this.#parts = parts;
    this.#first = first;
    this.#firstDate = dateOf(first);
    this.#steps = steps;
  }

  has(day: DayNumber): boolean {
    if (day < this.#first || !this.#isInTurn(day)) return false;
    if (this.#parts.positions === undefined) {
      this.#steps.spend(1);
      return this.#fits(day);
    }
    const period = this.#periodOf(day);
    return this.#chosenIn(period).has(day - period.from);
  }

  /** The day of its time of that number. */
  dayOfTime(count: number): DayNumber {
    const { frequency, interval, months, monthDays, weekdays } = this.#parts;
    if (frequency === "DAILY" && !months && !monthDays && !weekdays) return this.#first + (count - 1) * interval;
    const before = this.#steps.spent;
    let left = count;
    let period = this.#periodOf(this.#first);
    while (period.from <= Math.min(lastDay, this.#first + mostCounted.days)) {
      this.#steps.spend(1);
      const { from } = period;
      const chosen = this.#chosenIn(period);
      if (from < this.#first || chosen.size >= left) {
        const days = [...chosen].filter((after) => from + after >= this.#first);
        const day = days[left - 1];
        if (day !== undefined) return from + day;
        left -= days.length;
      } else left -= chosen.size;
      if (this.#steps.spent - before > mostCounted.steps || this.#steps.areUsedUp) return period.to;
      period = this.#nextInTurn(period);
    }
    return period.from - 1;
  }

  /** Whether INTERVAL lets it pass: of the periods of a rule each so many counts. */
  #isInTurn(day: DayNumber): boolean {
    const { frequency, interval, weekStart } = this.#parts;
    if (interval === 1) return true;
    switch (frequency) {
      case "DAILY":
        return (day - this.#first) % interval === 0;
      case "WEEKLY":
        return ((weekStartOf(day, weekStart) - weekStartOf(this.#first, weekStart)) / 7) % interval === 0;
      case "MONTHLY":
        return (monthsOf(day) - monthsOf(this.#first)) % interval === 0;
      case "YEARLY":
        return (dateOf(day).year - this.#firstDate.year) % interval === 0;
    }
  }

  /** What BYSETPOS chooses among; a daily rule has none, and is counted by month. */
  #periodOf(day: DayNumber): Span {
    const { frequency, weekStart } = this.#parts;
    if (frequency === "YEARLY") return spanOfMonths(dateOf(day).year * 12, 12);
    if (frequency !== "WEEKLY") return spanOfMonths(monthsOf(day), 1);
    const from = weekStartOf(day, weekStart);
    return { from, to: from + 6 };
  }

  #nextInTurn({ from, to }: Span): Span {
    const { frequency, interval } = this.#parts;
    if (frequency === "DAILY") return spanOfMonths(monthsOf(to + 1), 1);
    if (frequency === "WEEKLY") return { from: from + 7 * interval, to: to + 7 * interval };
    const count = frequency === "YEARLY" ? 12 : 1;
    return spanOfMonths(monthsOf(from) + count * interval, count);
  }

  /** The days it chooses in a period in turn, as days after its first one. */
  #chosenIn(period: Span): ReadonlySet<number> {
    const key = this.#alike(period);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const { frequency, positions } = this.#parts;
    const length = period.to - period.from + 1;
    this.#steps.spend(length);
    const all: number[] = [];
    for (let after = 0; after < length; after += 1) {
      const day = period.from + after;
      if ((frequency !== "DAILY" || this.#isInTurn(day)) && this.#fits(day)) all.push(after);
    }
    const isChosen = (at: number) => positions === undefined || positions.has(at + 1) || positions.has(at - all.length);
    const chosen = new Set(all.filter((_, at) => isChosen(at)));
    if (this.#known.size >= keptPeriods) this.#known.clear();
    this.#known.set(key, chosen);
    return chosen;
  }

  /** The same for periods in which a rule chooses the same days. */
  #alike({ from, to }: Span): number {
    const { frequency, months, monthDays } = this.#parts;
    if (frequency === "DAILY") return from;
    if (frequency === "WEEKLY") return months === undefined && monthDays === undefined ? 0 : from;
    const month = frequency === "MONTHLY" ? dateOf(from).month : 0;
    return (month * 1_000 + to - from) * 10 + weekdayOf(from);
  }

  /** Whether a day of a period in turn is what the rule names, but for BYSETPOS. */
  #fits(day: DayNumber): boolean {
    const { frequency, months, monthDays, weekdays } = this.#parts;
    const date = dateOf(day);
    if (months !== undefined && !months.has(date.month)) return false;
    if (monthDays !== undefined && !monthDays.has(date.date) && !monthDays.has(date.date - monthLength(date) - 1)) {
      return false;
    }
    const nths = weekdays?.get(weekdayOf(day));
    if (weekdays !== undefined) {
      if (nths === undefined) return false;
      if (nths.has(0) || frequency === "DAILY" || frequency === "WEEKLY") return true;
      const isOfYear = frequency === "YEARLY" && months === undefined && monthDays === undefined;
      const { from, to } = isOfYear
        ? spanOfMonths(date.year * 12, 12)
        : spanOfMonths(date.year * 12 + date.month - 1, 1);
      return nths.has(Math.floor((day - from) / 7) + 1) || nths.has(-Math.floor((to - day) / 7) - 1);
    }
    switch (frequency) {
      case "DAILY":
        return true;
      case "WEEKLY":
        return weekdayOf(day) === weekdayOf(this.#first);
      case "MONTHLY":
        return monthDays !== undefined || date.date === this.#firstDate.date;
      case "YEARLY":
        if (monthDays !== undefined) return true;
        return date.date === this.#firstDate.date && (months !== undefined || date.month === this.#firstDate.month);
    }
  }
}
