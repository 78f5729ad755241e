import type { DeviceError } from "../../errors.ts";
import { exactError } from "../../exact-sentences.ts";
import { calendarDay } from "../entities.ts";
import { withMonth } from "./bare-day.ts";
import { asRead, type DateLanguage, dateLanguages, dayWords, fillers } from "./day-words.ts";
import { inLanguage, type LetterDate, type Meant } from "./in-language.ts";
import { wholeSpan } from "./spans.ts";
import { dayAfter, localTimeAt, momentOf } from "./zone.ts";

/** Where and when a date is read: "tomorrow" is another day in another zone. */
export interface Here {
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** The IANA zone of the person. */
  readonly zone: string;
}

/** A day, and a time of it where one was said; both as clocks show them in the reader's zone. */
export interface ReadDate {
  /** `2026-11-27` */
  readonly day: string;
  /** `17:00:00`; null for a day. */
  readonly time: string | null;
}

const mostCharacters = 100;
const isoDay = /^\d{4}-\d\d-\d\d$/;
const isoTime = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d))?$/;
const isoMoment = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)$/i;
/** Three numbers with a stroke: the day comes first in most countries, the month in some. */
const strokes = /^(\d{1,2})\/(\d{1,2})\/(\d{2,4})$/;
/** The same within other words, with a year or without one; or with dashes, which a range of two has as well. */
const strokesWithin = /(?<![\d/-])(\d{1,2})(?:\/(\d{1,2})(?!\d)|-(\d{1,2})-\d{2,4}(?!\d))/u;

/**
 * Reads a date as a person writes it: ISO 8601, or words in English, German, French, Spanish or Italian. All of the text
 * has to be understood, and in one way only.
 *
 * @param field of a form, that it stands in
 * @throws DeviceError `date_invalid`; `data.field` names the field
 */
export async function readDate(text: string, here: Here, field?: string): Promise<ReadDate> {
  const read = await reading(text, here, dateLanguages, "to_come");
  if ("refused" in read) throw read.refused(field);
  const { day, time } = read;
  return { day, time };
}

/**
 * The same of words that may be a date, in letters of a language that is known.
 *
 * @returns undefined when they are none, or more than one
 */
export async function dateIn(
  text: string,
  here: Here,
  languages: readonly DateLanguage[],
): Promise<LetterDate | undefined> {
  const read = await reading(text, here, languages, "near");
  return "refused" in read ? undefined : read;
}

interface NotRead {
  readonly refused: (field: string | undefined) => DeviceError;
}

async function reading(
  text: string,
  here: Here,
  languages: readonly DateLanguage[],
  meant: Meant,
): Promise<LetterDate | NotRead> {
  const written = text.normalize("NFC").trim().replace(/\s+/gu, " ");
  if (written === "" || written.length > mostCharacters) return notRead(text);
  if (isoDay.test(written)) return existing({ day: written, time: null }, text);
  const [, day, minutes, seconds = "00"] = isoTime.exec(written) ?? [];
  if (day !== undefined && minutes !== undefined) {
    const time = `${minutes}:${seconds}`;
    return clockTime.test(time) ? existing({ day, time }, text) : noTime(minutes);
  }
  if (isoMoment.test(written)) {
    const ms = Date.parse(written.replace(" ", "T"));
    if (Number.isNaN(ms)) return notRead(text);
    const [there = "", time = ""] = localTimeAt(ms, here.zone).split("T");
    const checked = existing({ day: written.slice(0, 10), time }, text);
    return "refused" in checked ? checked : { ...checked, day: there, time, isHere: true };
  }
  const stroked = strokes.exec(written);
  if (stroked !== null) return readStrokes(stroked, text, meant);
  return readWords(written, text, here, languages, meant);
}

/**
 * Three numbers with a stroke, where one order of day and month alone makes a day of the calendar. A letter's are not read: who has
 * written it may mean neither order.
 */
function readStrokes(
  [, one = "", two = "", year = ""]: RegExpExecArray,
  text: string,
  meant: Meant,
): LetterDate | NotRead {
  const inOrder = (day: string, month: string) =>
    `${year.padStart(4, "20")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  const days = [...new Set([inOrder(one, two), inOrder(two, one)])].filter((day) => calendarDay.safeParse(day).success);
  const [day, another] = days;
  if (day === undefined) return refused("day", text);
  // Of a year in two digits the day may stand there as well.
  if (another !== undefined || year.length < 4 || meant === "near") return twoWays(text);
  return { day, time: null, until: null, namesDay: true, isHere: false };
}

/** Whether a day and a month that strokes part are two days, in English alone: in the others the day comes first. */
function isInTwoOrders(text: string, languages: readonly DateLanguage[]): boolean {
  const [, one = "", stroke, dash] = strokesWithin.exec(text) ?? [];
  const two = stroke ?? dash ?? "";
  return (
    languages.includes("en") && one !== "" && Number(one) <= 12 && Number(two) <= 12 && Number(one) !== Number(two)
  );
}

async function readWords(
  written: string,
  text: string,
  here: Here,
  among: readonly DateLanguage[],
  meant: Meant,
): Promise<LetterDate | NotRead> {
  const today = localTimeAt(here.nowMs, here.zone).slice(0, 10);
  const span = meant === "to_come" ? wholeSpan(written, among, today) : undefined;
  if (span !== undefined) return span.day === null ? twoWays(text) : existing({ day: span.day, time: null }, text);
  const bare = meant === "to_come" ? withMonth(written, among, today) : undefined;
  const said = meant === "to_come" ? asRead(bare?.text ?? written) : written;
  const known = dayWords.find(({ pattern, language }) => among.includes(language) && pattern.test(said));
  const language = bare?.language ?? known?.language;
  const languages: readonly DateLanguage[] = language === undefined ? among : [language];
  const plain = known === undefined ? said : said.replace(known.pattern, known.instead).replace(/ +/g, " ").trim();
  if (isInTwoOrders(plain, languages)) return twoWays(text);
  const spellings = [plain, plain.replace(fillers, "")];
  const found = new Map<string, LetterDate>();
  for (const language of languages) {
    for (const spelling of spellings) {
      const read = await inLanguage(language, spelling, here, meant);
      if (read === "two_ways") return twoWays(text);
      if (read === undefined) continue;
      const days = known?.isAfterToday && read.day === today ? 7 : (known?.days ?? 0);
      const date = { ...read, day: dayAfter(read.day, days) };
      found.set(JSON.stringify(date), date);
      break;
    }
  }
  const [date, another] = found.values();
  if (date === undefined) return notRead(text);
  return another === undefined ? date : twoWays(text);
}

/**
 * Refuses a time that no clock of a zone shows, as they are set forward over it: another one would be kept than was said.
 *
 * @param text as it was said @param field of a form, that it stands in
 * @throws DeviceError `date_invalid`; `data.field` names the field
 */
export function requireShown({ day, time }: ReadDate, zone: string, text: string, field?: string): void {
  const local = `${day}T${time}`;
  if (time !== null && localTimeAt(momentOf(local, zone), zone) !== local)
    throw refused("skipped", text).refused(field);
}

/** A read date as tasks keep it: the day, or the moment in UTC. */
export function dueOf({ day, time }: ReadDate, zone: string): string {
  if (time === null) return day;
  return `${new Date(momentOf(`${day}T${time}`, zone)).toISOString().slice(0, 19)}Z`;
}

function existing(date: ReadDate, text: string): LetterDate | NotRead {
  if (!calendarDay.safeParse(date.day).success) return refused("day", text);
  const year = Number(date.day.slice(0, 4));
  // A year that was begun to be typed, or in which zeros were: nothing is due then.
  return year < 1000 ? refused("year", text, { year }) : { ...date, until: null, namesDay: true, isHere: false };
}

const clockTime = /^(?:[01]\d|2[0-3])(?::[0-5]\d){2}$/;

const begun = (text: string) => (text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text);

/** Made only where somebody is told: most words that are looked at are no date. */
const refused = (
  about: "words" | "empty" | "day" | "year" | "time" | "skipped" | "twoWays",
  text: string,
  more: Readonly<Record<string, number>> = {},
): NotRead => ({
  refused: (field) =>
    exactError("date_invalid", about, about === "empty" ? {} : { text: begun(text), ...more }, {
      data: field === undefined ? {} : { field },
    }),
});
const noTime = (minutes: string): NotRead => refused("time", minutes);
const notRead = (text: string): NotRead => refused(text.trim() === "" ? "empty" : "words", text);
const twoWays = (text: string): NotRead => refused("twoWays", text);
