import { isDay } from "../decide/day.ts";

/** Formats are dear to make: one of each is kept. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(language: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify([language, options]);
  const known = formats.get(name) ?? new Intl.DateTimeFormat(language, options);
  formats.set(name, known);
  return known;
}

/** A day or a local time as a date whose UTC fields are what clocks show. */
const shownAt = (value: string): Date => new Date(isDay(value) ? `${value}T00:00:00Z` : `${value}Z`);

/** `2026-11-27` in words: Friday, 27 November 2026. */
export const dayText = (day: string, language: string): string =>
  formatOf(language, { dateStyle: "full", timeZone: "UTC" }).format(shownAt(day));

/** A day, or a day and a time, in a few letters: Nov 27, 2026. */
export const shortText = (time: string, language: string): string =>
  formatOf(language, { dateStyle: "medium", ...(isDay(time) ? {} : { timeStyle: "short" }), timeZone: "UTC" }).format(
    shownAt(time),
  );

/** The month of a day in words: November 2026. */
export const monthText = (day: string, language: string): string =>
  formatOf(language, { month: "long", year: "numeric", timeZone: "UTC" }).format(shownAt(day));

/** The day of the week in a few letters: Fri. */
export const weekdayText = (day: string, language: string): string =>
  formatOf(language, { weekday: "short", timeZone: "UTC" }).format(shownAt(day));

/** The number a day of the calendar bears. */
export const dateNumber = (day: string, language: string): string =>
  new Intl.NumberFormat(language).format(shownAt(day).getUTCDate());

/** When a task is due: a day, or a moment as clocks of a zone show it. */
export function dueText(due: string, zone: string, language: string): string {
  return isDay(due)
    ? formatOf(language, { dateStyle: "medium", timeZone: "UTC" }).format(shownAt(due))
    : formatOf(language, { dateStyle: "medium", timeStyle: "short", timeZone: zone }).format(Date.parse(due));
}

interface Times {
  readonly start: string;
  readonly end: string;
  readonly isAllDay: boolean;
}

/** From when to when an event is; the days of one that lasts several. */
export function rangeText({ start, end, isAllDay }: Times, language: string): string {
  const isOneDay = start.slice(0, 10) === end.slice(0, 10);
  const options: Intl.DateTimeFormatOptions = isAllDay
    ? { dateStyle: "medium", timeZone: "UTC" }
    : { ...(isOneDay ? {} : { dateStyle: "medium" }), timeStyle: "short", timeZone: "UTC" };
  return formatOf(language, options).formatRange(shownAt(start), shownAt(end));
}

/** When an event begins, in as few letters as there is room for. */
export const startText = (start: string, language: string): string =>
  formatOf(language, { timeStyle: "short", timeZone: "UTC" }).format(shownAt(start));

/** A moment as a person types it: `2026-11-27 17:00`, as clocks of a zone show it. */
export function typedMoment(moment: string, zone: string): string {
  // Swedish writes dates as ISO 8601 does.
  return formatOf("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone: zone }).format(Date.parse(moment));
}
