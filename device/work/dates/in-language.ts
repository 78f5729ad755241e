import type { ParsedComponents } from "chrono-node";
import { calendarDay } from "../entities.ts";
import { type DateLanguage, fillers, pastWeekday, thisWeekday } from "./day-words.ts";
import { dayAfter, localTimeAt } from "./zone.ts";

/** A date of a letter, which says more than a person has to who types one. */
export interface LetterDate {
  /** `2026-11-27` */
  readonly day: string;
  /** `17:00:00`; null for a day. */
  readonly time: string | null;
  /** `18:00:00`, where it says until when, of the same day. */
  readonly until: string | null;
  /** Whether it names a day; a time alone is one of the day it was written, unless another one is meant. */
  readonly namesDay: boolean;
  /** Whether its time is as clocks show it where it is read: it names its zone. */
  readonly isHere: boolean;
}

/** What a day without its year is: whoever types one means one to come, and a letter tells of those that have just been too. */
export type Meant = "to_come" | "near";

/** A letter's day without a year that would be further ahead than this is one of the weeks before it was written. */
const furthestAheadDays = 300;

/** Each language is loaded when a date in words is read: all five take a tenth of a second. */
const parsers = {
  en: () => import("chrono-node/en"),
  de: () => import("chrono-node/de"),
  fr: () => import("chrono-node/fr"),
  es: () => import("chrono-node/es"),
  it: () => import("chrono-node/it"),
} as const;

/**
 * What one language makes of all of a text; undefined when it does not know some of it, `two_ways` when what is typed names a
 * weekday and another day, or may.
 */
export async function inLanguage(
  language: DateLanguage,
  text: string,
  { nowMs, zone }: { readonly nowMs: number; readonly zone: string },
  meant: Meant,
): Promise<LetterDate | "two_ways" | undefined> {
  const { casual } = await parsers[language]();
  // The library reads local fields of its reference, which are the process's zone's. It is told what clocks show here as
  // if they showed it there, so that neither that zone nor its own way to convert (which misses some words) has a say.
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0] = localTimeAt(nowMs, zone).split(/[-T:]/).map(Number);
  const reference = new Date(year, month - 1, day, hour, minute);
  const spelled = language === "de" ? spelledInGerman(text) : text;
  const parsed = (from: Date) => casual.parse(spelled, from, { forwardDate: true });
  const first = parsed(reference);
  // From noon on the library takes the next week's for the weekday that it is: whoever types one, or says "this", means that all day long.
  const isOfWeek = (meant === "to_come" || thisWeekday.test(spelled)) && isWeekdayAlone(first[0]?.start);
  const [result, another] = isOfWeek ? parsed(new Date(year, month - 1, day)) : first;
  if (result === undefined || another !== undefined || result.text !== spelled) return undefined;
  const { start, end } = result;
  // In English "22. November" is ten in the evening of a November.
  if (start.isCertain("hour") && start.isCertain("month") && !start.isCertain("day")) return undefined;
  const namesDay = start.isCertain("day") || start.isCertain("weekday");
  // A month alone is no day of it.
  if (meant === "near" && start.isCertain("month") && !namesDay) return undefined;
  if (meant === "to_come" && (isOver(spelled) || !isOneDay(start, namesDay))) return undefined;
  const read = withinMonth(dayOf(start, yearOf(start, reference, meant)), start, reference);
  if (meant === "to_come" && (isContradicted(start, read) || isDayOrHour(start, spelled))) return "two_ways";
  const iso = isOfToday(start, namesDay) ? localTimeAt(nowMs, zone).slice(0, 10) : read;
  if (!calendarDay.safeParse(iso).success) return undefined;
  const time = timeOf(start, spelled, meant);
  const until = end ? untilOf(start, end) : null;
  if (until === undefined || (until !== null && meant === "to_come")) return undefined;
  const date = { day: iso, time, until, namesDay, isHere: false };
  if (!start.isCertain("timezoneOffset")) return date;
  // "in two hours", and what somebody types: the clock that is meant is the one that is shown.
  if (meant === "to_come" || time === null || !zoneWords.test(spelled)) return undefined;
  return shownHere(date, start.get("timezoneOffset") ?? 0, zone);
}

/** Names of zones that one country alone means: `CST` and `IST` are those of several. */
const zoneWords =
  /(?<![\p{L}\d])(?:UTC|GMT|Z|MEZ|MESZ|(?:CE|EE|WE|MS)S?T|(?:E|M|P|AK|H)[SD]?T|CDT|CT|BST|JST|KST|SGT|HKT|NZ[SD]T|AE[SD]T)(?![\p{L}])/u;

/** What a clock of another zone shows, as the reader's shows it. @param offsetMinutes how far that is ahead of UTC */
export function shownHere({ day, time, until, namesDay }: LetterDate, offsetMinutes: number, zone: string): LetterDate {
  const moved = (clock: string) =>
    localTimeAt(Date.parse(`${day}T${clock}Z`) - offsetMinutes * 60_000, zone).split("T");
  const [there = day, shown = null] = time === null ? [] : moved(time);
  const [lastDay, last = null] = until === null ? [] : moved(until);
  return { day: there, time: shown, until: lastDay === there ? last : null, namesDay, isHere: true };
}

const isOver = (text: string): boolean => text.search(pastWeekday) >= 0;

/** Whether what is typed is one day: a week, month or year alone is none. */
const isOneDay = (read: ParsedComponents, namesDay: boolean): boolean =>
  namesDay || read.isCertain("hour") || read.tags().has("result/relativeDate") || isPartOfDay(read);

/** Whether a weekday stands beside a date, or a count of days, that it is not of. */
const isContradicted = (read: ParsedComponents, day: string): boolean =>
  read.isCertain("day") &&
  read.isCertain("weekday") &&
  read.get("weekday") !== new Date(`${day}T00:00:00Z`).getUTCDay();

const isWeekdayAlone = (read: ParsedComponents | undefined): boolean =>
  read?.isCertain("weekday") === true && !read.isCertain("day") && !read.isCertain("hour");

/** `Sun 22`: the library takes the number for an hour. */
const isDayOrHour = (read: ParsedComponents, text: string): boolean =>
  read.isCertain("weekday") && /^\p{L}+\.?,? \d{1,2}$/u.test(text.replace(fillers, ""));

const isPartOfDay = (read: ParsedComponents): boolean =>
  [...read.tags()].some((tag) => tag.startsWith("casualReference/"));

/** `this afternoon` is of today also when it is over; the library takes the next. */
const isOfToday = (read: ParsedComponents, namesDay: boolean): boolean =>
  !namesDay && !read.isCertain("month") && !read.isCertain("hour") && isPartOfDay(read);

/**
 * A day and month in figures by their names, and a time with the word before it, without which the hour is taken for a year: the
 * library reads neither.
 */
function spelledInGerman(text: string): string {
  return text
    .replace(/(?<![\d.])(\d{1,2})\. ?(\d{1,2})\.(?=$|[ ,])/u, (all, day: string, month: string) => {
      const name = germanMonths[Number(month) - 1];
      return name === undefined ? all : `${day}. ${name}`;
    })
    .replace(/,? (?<!(?:um|von|bis|ab|gegen|und|oder|[-–]) )(\d{1,2}(?:[:.]\d\d)? Uhr)(?=$|[ ,])/u, " um $1");
}

const germanMonths = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(" ");

/**
 * The last day of a month that has no such day: a month after 31 January the library counts on into March, and a year after 29 February
 * as well.
 */
function withinMonth(iso: string, read: ParsedComponents, reference: Date): string {
  const isCounted = read.tags().has("result/relativeDate") && !read.isCertain("day") && !read.isCertain("weekday");
  const day = read.get("day") ?? 0;
  return isCounted && day < reference.getDate() ? dayAfter(iso, -day) : iso;
}

function dayOf(read: ParsedComponents, year: number): string {
  const two = (part: number | null) => String(part ?? 0).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${two(read.get("month"))}-${two(read.get("day"))}`;
}

function clockOf(read: ParsedComponents): string {
  const two = (part: number | null) => String(part ?? 0).padStart(2, "0");
  return `${two(read.get("hour"))}:${two(read.get("minute"))}:${two(read.get("second"))}`;
}

/** The time that was said; by midnight of a day somebody means the end of it or its beginning, so the day alone is said. */
function timeOf(read: ParsedComponents, text: string, meant: Meant): string | null {
  if (!read.isCertain("hour")) return null;
  const isMidnight = /midnight|mitternacht|minuit|medianoche|mezzanotte/iu.test(text);
  return meant === "near" && isMidnight ? null : clockOf(read);
}

/** Until when, on the same day; undefined where it goes on to another. */
function untilOf(start: ParsedComponents, end: ParsedComponents): string | undefined {
  if (!start.isCertain("hour") || !end.isCertain("hour")) return undefined;
  const [from, until] = [clockOf(start), clockOf(end)];
  const isOfDay = dayOf(start, start.get("year") ?? 0) === dayOf(end, end.get("year") ?? 0);
  return isOfDay && until > from ? until : undefined;
}

/** The year of what was read; where none was said, the library takes the next in which its day is to come. */
function yearOf(read: ParsedComponents, reference: Date, meant: Meant): number {
  const year = read.get("year") ?? 0;
  if (!read.isCertain("day") || !read.isCertain("month") || read.isCertain("year")) return year;
  const isToday = read.get("month") === reference.getMonth() + 1 && read.get("day") === reference.getDate();
  // In the afternoon the library takes the day it is for one that is over.
  if (isToday && !read.isCertain("hour")) return reference.getFullYear();
  const aheadDays = (read.date().getTime() - reference.getTime()) / (24 * 3_600_000);
  return meant === "near" && aheadDays > furthestAheadDays ? year - 1 : year;
}
