/** A day by its number: days since 1 January 1970. */
export type DayNumber = number;

const dayMs = 86_400_000;

export const dayNumber = (day: string): DayNumber => Math.round(Date.parse(`${day.slice(0, 10)}T00:00:00Z`) / dayMs);
export const dayOfNumber = (number: DayNumber): string => new Date(number * dayMs).toISOString().slice(0, 10);

/** No calendar has a day after this one. */
export const lastDay: DayNumber = dayNumber("9999-12-31");

/** Days from one to another, both included. */
export interface Span {
  readonly from: DayNumber;
  readonly to: DayNumber;
}

interface CalendarDate {
  readonly year: number;
  /** January is 1. */
  readonly month: number;
  readonly date: number;
}

/** In 400 years the calendar has come round, which makes a date a matter of dividing: a Date object takes ten times as long. */
const [yearsRound, daysRound] = [400, 146_097];
/** From 1 March of the year 0, so that the day that is put in is the last one of its year, to 1 January 1970. */
const daysBefore1970 = 719_468;

/** The date of a day; by the algorithm `civil_from_days` of Howard Hinnant (https://howardhinnant.github.io/date_algorithms.html). */
export function dateOf(day: DayNumber): CalendarDate {
  const since = day + daysBefore1970;
  const round = Math.floor(since / daysRound);
  const within = since - round * daysRound;
  const years = Math.floor(
    (within - Math.floor(within / 1_460) + Math.floor(within / 36_524) - Math.floor(within / 146_096)) / 365,
  );
  const ofYear = within - (365 * years + Math.floor(years / 4) - Math.floor(years / 100));
  const months = Math.floor((5 * ofYear + 2) / 153);
  const month = months < 10 ? months + 3 : months - 9;
  return {
    year: round * yearsRound + years + (month <= 2 ? 1 : 0),
    month,
    date: ofYear - Math.floor((153 * months + 2) / 5) + 1,
  };
}

/** The number of a month's first day. @param months since January of the year 0 */
function monthStart(months: number): DayNumber {
  const [year, month] = [Math.floor(months / 12), months % 12];
  // Years that begin with March.
  const [ofMarch, since] = [year - (month < 2 ? 1 : 0), (month + 10) % 12];
  const round = Math.floor(ofMarch / yearsRound);
  const years = ofMarch - round * yearsRound;
  const days = 365 * years + Math.floor(years / 4) - Math.floor(years / 100) + Math.floor((153 * since + 2) / 5);
  return round * daysRound + days - daysBefore1970;
}

/** 1 January 1970 was a Thursday; Sunday is 0. */
export const weekdayOf = (day: DayNumber): number => (((day + 4) % 7) + 7) % 7;

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

export const monthLength = ({ year, month }: Omit<CalendarDate, "date">): number =>
  month === 2 ? (isLeap(year) ? 29 : 28) : month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;

/** The first day of the week a day lies in. @param weekStart the weekday that begins one; Sunday is 0 */
export const weekStartOf = (day: DayNumber, weekStart: number): DayNumber =>
  day - ((weekdayOf(day) - weekStart + 7) % 7);

/** Months from January of the year 0 to that of a day. */
export function monthsOf(day: DayNumber): number {
  const { year, month } = dateOf(day);
  return year * 12 + month - 1;
}

/** Some months in a row. @param months from January of the year 0 to the first of them */
export const spanOfMonths = (months: number, count: number): Span => ({
  from: monthStart(months),
  to: monthStart(months + count) - 1,
});
