/** How much of a calendar is seen at once. */
export type View = "month" | "week";

/** The calendar has years of four digits. */
const [firstDay, lastDay] = ["0001-01-01", "9999-12-31"];

/** A day so many days later. */
export function dayAfter(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return within(at);
}

/** The same day so many months later, or the last one of a shorter month. */
export function monthAfter(day: string, months: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  const date = at.getUTCDate();
  at.setUTCDate(1);
  at.setUTCMonth(at.getUTCMonth() + months + 1, 0);
  at.setUTCDate(Math.min(date, at.getUTCDate()));
  return within(at);
}

function within(at: Date): string {
  if (at.getTime() < Date.parse(`${firstDay}T00:00:00Z`)) return firstDay;
  return at.getTime() > Date.parse(`${lastDay}T00:00:00Z`) ? lastDay : at.toISOString().slice(0, 10);
}

/** Monday is 1, Sunday 7. */
const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7;

interface WeekInfo {
  readonly firstDay: number;
}

/** A tag as a place of its own; undefined of what is none: a browser whose LANG is C names itself `en-US@posix`. */
function localeOf(tag: string): (Intl.Locale & { getWeekInfo?(): WeekInfo; readonly weekInfo?: WeekInfo }) | undefined {
  try {
    return new Intl.Locale(tag);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** With which day weeks begin where a language is spoken, by the browser's own region where it names one; Monday is 1. */
export function weekStart(language: string, ofBrowser: readonly string[]): number {
  const tags = [...ofBrowser.filter((each) => each.slice(0, 2) === language), language];
  const [locale] = tags.map(localeOf).filter((each) => each !== undefined);
  // Some browsers know it as a property, some not at all.
  return (locale?.getWeekInfo?.() ?? locale?.weekInfo)?.firstDay ?? 1;
}

/** Seven days of the calendar; undefined where it has none, as before its first one. */
export type Week = readonly (string | undefined)[];

/** A week somewhere in the calendar, to name its days by. */
export const someWeek = (start: number): string[] =>
  // It was a Monday.
  Array.from({ length: 7 }, (_, after) => dayAfter("2024-01-01", start - 1 + after));

/** A day so many days later, if there is one. */
function dayIfAny(day: string, days: number): string | undefined {
  const later = dayAfter(day, days);
  return dayAfter(later, -days) === day ? later : undefined;
}

/** The weeks that are shown around a day: its own, or those of its month. */
export function weeksAround(day: string, view: View, start: number): Week[] {
  const begin = view === "week" ? day : `${day.slice(0, 8)}01`;
  const weeks: Week[] = [];
  let from = -((weekday(begin) - start + 7) % 7);
  do {
    const first = from;
    weeks.push(Array.from({ length: 7 }, (_, after) => dayIfAny(begin, first + after)));
    from += 7;
  } while (view === "month" && dayIfAny(begin, from)?.slice(0, 7) === day.slice(0, 7));
  return weeks;
}
