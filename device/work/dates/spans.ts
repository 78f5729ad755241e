import { type DateLanguage, pastWeekday, weekdays } from "./day-words.ts";
import { type SpanWords, spanWords } from "./span-words.ts";
import { dayAfter } from "./zone.ts";

/** A day that is said as the end of a time: of a week, of a month, of so many days from now. */
export interface Span {
  readonly from: number;
  readonly to: number;
  /** `2026-11-27`; null where nobody can say which. */
  readonly day: string | null;
  /** Whether its own words say by when: `within`. */
  readonly isWithin: boolean;
  /** Who asks for nothing says so of how long something is as it is. */
  readonly onlyAsked: boolean;
  /** Of a time that is named by itself, when it begins: what is meant by who plans for it. */
  readonly begins?: string | null;
}

/** Weekdays as `Date` counts them. */
const [sunday, monday, friday, saturday] = [0, 1, 5, 6];
/** More of one kind than this stands in no sentence. */
const mostSpans = 4;

/**
 * The ends of times that a sentence names, as its writer meant them. A week ends with its Friday: who works reads it so, and
 * nobody is late who takes it so. Which week is meant, a weekend does not say: weeks begin on Sunday for some and on Monday for others.
 *
 * What begins at something else (`within two weeks of arrival`), what is vague (`towards the end of the month`), and what
 * somebody promises is none.
 *
 * @param today when it was written, `2026-11-18`
 */
export function spansIn(sentence: string, languages: readonly DateLanguage[], today: string): Span[] {
  const found: Span[] = [];
  for (const words of languages.map((language) => spanWords[language])) {
    for (const match of [...sentence.matchAll(words.end)].slice(0, mostSpans)) {
      const [ahead, rest] = around(sentence, match);
      const isNone = words.vague.test(ahead) || words.elsewhere.test(rest) || /^\s*\d/.test(rest);
      const day = isNone ? null : endDay(match.groups ?? {}, words, today);
      add(found, { ...placeOf(match), day, isWithin: false, onlyAsked: words.until.test(ahead) });
    }
    for (const match of [...sentence.matchAll(words.toCome)].slice(0, mostSpans)) {
      const [ahead, rest] = around(sentence, match);
      // A weekday beside it says which day of it.
      if (dayAhead.test(ahead) || dayBehind.test(rest)) continue;
      const begins = ofNextWeek(monday, today);
      const isNone = words.partOf.test(ahead) || words.vague.test(ahead) || /^['’]/.test(rest);
      const day = words.by.test(ahead) ? begins : ofNextWeek(friday, today);
      add(found, { ...placeOf(match), day: isNone ? null : day, isWithin: false, onlyAsked: true, begins });
    }
    for (const match of [...sentence.matchAll(words.within)].slice(0, mostSpans)) {
      const [ahead, rest] = around(sentence, match);
      const isNone = words.elsewhere.test(rest) || words.promised.test(ahead);
      const day = isNone ? null : dayIn(match.groups ?? {}, words, today);
      add(found, { ...placeOf(match), day, isWithin: true, onlyAsked: true });
    }
  }
  return found;
}

const anyWeekday = Object.values(weekdays).join("|");
const dayAhead = new RegExp(`(?<!\\p{L})(?:${anyWeekday}),? ?(?:of|in|the|in der|der|de|de la|della)?\\s*$`, "iu");
const dayBehind = new RegExp(`^,? (?:on |am |le |el )?(?:${anyWeekday})(?!\\p{L})`, "iu");

/** What stands before a span that is all of a text. */
const lead =
  /^(?:by|before|until|till|bis(?: zu(?:m|r)?)?|vor|spätestens(?: bis)?|avant|d['’]ici(?: à)?|jusqu['’]à|au plus tard|antes de|antes|hasta|para|a más tardar|entro|prima de|fino a)?(?:l|lla)? ?$/iu;

/** The one span that a text is, as who types it means it. @returns undefined for one that says more, or something else */
export function wholeSpan(text: string, languages: readonly DateLanguage[], today: string): Span | undefined {
  const [span, another] = spansIn(text, languages, today);
  const isWhole = span?.to === text.length && lead.test(text.slice(0, span.from));
  if (!isWhole || another !== undefined) return undefined;
  return span.begins === undefined ? span : { ...span, day: span.begins };
}

/** A sentence with such words struck out, as long as it was: what is within them is no date of its own. */
export function withoutSpans(sentence: string, spans: readonly Pick<Span, "from" | "to">[]): string {
  let rest = sentence;
  for (const { from, to } of spans) rest = `${rest.slice(0, from)}${"_".repeat(to - from)}${rest.slice(to)}`;
  return rest;
}

/** The weekdays of a sentence that are over. */
export const pastIn = (sentence: string): Pick<Span, "from" | "to">[] =>
  [...sentence.matchAll(pastWeekday)].map(placeOf);

const around = (sentence: string, match: RegExpExecArray): [ahead: string, rest: string] => [
  sentence.slice(0, match.index),
  sentence.slice(match.index + match[0].length),
];
const placeOf = (match: RegExpExecArray) => ({ from: match.index, to: match.index + match[0].length });

/** Two languages may read the same words. */
function add(found: Span[], span: Span): void {
  if (!found.some(({ from, to }) => from < span.to && span.from < to)) found.push(span);
}

type Groups = Readonly<Record<string, string | undefined>>;

function endDay(groups: Groups, { months }: SpanWords, today: string): string | null {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  if (groups["week"] !== undefined) {
    return weekday === sunday || weekday === saturday ? null : dayAfter(today, friday - weekday);
  }
  if (groups["nextWeek"] !== undefined) return ofNextWeek(friday, today);
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7))];
  if (groups["month"] !== undefined) return lastDay(year, month);
  if (groups["nextMonth"] !== undefined) return lastDay(year, month + 1);
  const named = 1 + indexIn(months, groups["named"] ?? "");
  if (named === 0) return null;
  // Without a year the one to come is meant.
  return lastDay(groups["year"] === undefined ? year + (named < month ? 1 : 0) : Number(groups["year"]), named);
}

/** Null on a Sunday, which is the last day of a week for some and the first for others. */
function ofNextWeek(wanted: number, today: string): string | null {
  const weekday = new Date(`${today}T00:00:00Z`).getUTCDay();
  return weekday === sunday ? null : dayAfter(today, wanted + 7 - weekday);
}

function dayIn(groups: Groups, { counts }: SpanWords, today: string): string | null {
  const written = groups["count"] ?? "";
  const count = /^\d/.test(written) ? Number(written) : 1 + indexIn(counts, written);
  if (count < 1) return null;
  if (groups["days"] !== undefined) return dayAfter(today, count);
  if (groups["weeks"] !== undefined) return dayAfter(today, count * 7);
  const [year, month] = [Number(today.slice(0, 4)), Number(today.slice(5, 7)) + count];
  const last = lastDay(year, month);
  return `${last.slice(0, 8)}${[today.slice(8), last.slice(8)].toSorted()[0]}`;
}

/** @param month may be one of the year after */
const lastDay = (year: number, month: number): string => new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);

const indexIn = (names: readonly string[], written: string): number =>
  names.findIndex((name) => new RegExp(`^(?:${name})$`, "iu").test(written));
