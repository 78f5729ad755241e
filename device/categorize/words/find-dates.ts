import type { DateLanguage } from "../../work/dates/day-words.ts";
import type { LetterDate } from "../../work/dates/in-language.ts";
import { dateIn, type Here } from "../../work/dates/read-date.ts";
import { pastIn, spansIn, withoutSpans } from "../../work/dates/spans.ts";
import { localTimeAt } from "../../work/dates/zone.ts";
import { before, dayStart } from "./phrases.ts";

/** A date as it stands in a sentence. */
export interface FoundDate {
  readonly date: LetterDate;
  /** The words it was read from, verbatim. */
  readonly words: string;
  /** What stands before it makes it a deadline. */
  readonly isDeadline: boolean;
  /** It counts where something is asked for alone. */
  readonly onlyAsked: boolean;
}

const months =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)$/iu;
/** A part of a week or a month is neither the day a week from now nor the same day of the month. */
const partBefore =
  /(?<!\p{L})(?:of|end|early|late|mid|ende|anfang|mitte|fin|début|debut|milieu|fine|inizio|metà|final(?:es)?|principios|mediados)(?: of| de| della| del| der| des)?(?: the| la| le)?[\s-]*$/iu;
const weekOrMonth =
  /(?<!\p{L})(?:weeks?|months?|wochen?|monate?s?|semaines?|mois|semanas?|mes(?:es)?|settimane?|mes[ei])(?!\p{L})/iu;
/** What names a day that is not read: whose order nobody knows, that is struck out, or that is none. A time beside it is not of another day. */
const unreadDay =
  /__|\d[./-]\d|\d(?:st|nd|rd|th)(?!\p{L})|\d\.? ?(?:de |d['’])?(?:jan|feb|fév|fev|mar|mär|apr|avr|abr|mai|may|mag|jun|juin|giu|jul|juil|lug|ag|aug|août|sep|set|oct|okt|ott|nov|dec|dez|déc|dic|gen|ene)\p{L}*/iu;
/** A time that is one without a day: "in 2 to 4 ms" is none. */
const clock = /\d{1,2}[:.]\d\d|\d ?(?:[ap]\.?m\.?|uhr|h)(?!\p{L})|\d ?h ?\d\d/iu;
/** A zone that is not known, or that several countries mean by the same letters, behind a time. */
const zoneBehind =
  /^[\s,]*\(?(?:[A-Z]{1,2}[SD]T|(?:CE|EE|WE|ME)S[TZ]|[ECPMW]T|[CEW]AT|[SH][GK]T|PKT|ICT|MYT|WIB|MSK|MEZ|UTC|GMT|AoE|\p{Lu}\p{L}+ time)(?!\p{L})/u;
/** What a day is told by, in any of the languages: words that are none (`the days`) are read as one now and then. */
const dayWord =
  /\d|(?<!\p{L})(?:today|tonight|tomorrow|yesterday|day after|\p{L}+day|next|in \p{L}+ (?:days?|weeks?|months?)|heute|morgen|übermorgen|uebermorgen|\p{L}+tag|mittwoch|nächste\p{L}?|kommende\p{L}?|aujourd['’]hui|demain|après|apres|\p{L}+di|dimanche|dans|hoy|mañana|manana|pasado|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|pr[óo]xim[oa]|dentro|oggi|domani|dopodomani|luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|domenica|prossim[oa]|tra|fra)(?!\p{L})/iu;
/** Words a date has at most: `next Friday at 5 pm`, `Freitag, den 27. November 2026 von 10 bis 11 Uhr`. */
const mostWords = 10;
/** Words of one sentence that a date may begin with. */
const mostStarts = 8;

/**
 * The dates a sentence names, each as long as it can be read, as somebody read them who got the letter.
 *
 * @param languages what the letter is written in; a date that they read differently is not found
 */
export async function datesIn(written: string, languages: readonly DateLanguage[], here: Here): Promise<FoundDate[]> {
  const spans = spansIn(written, languages, localTimeAt(here.nowMs, here.zone).slice(0, 10));
  const days = await daysIn(withoutSpans(written, [...spans, ...pastIn(written)]), languages, here);
  const ends = spans.flatMap(({ from, to, day, isWithin, onlyAsked, begins }): FoundDate[] => {
    // Of a day and of a whole week, the day is what is asked for.
    if (day === null || (begins !== undefined && days.length > 0)) return [];
    const isDeadline = isWithin || isAfterDeadline(written.slice(0, from), languages);
    const date = { day, time: null, until: null, namesDay: true, isHere: false };
    return [{ date, words: written.slice(from, to), isDeadline, onlyAsked }];
  });
  return [...ends, ...days];
}

async function daysIn(sentence: string, languages: readonly DateLanguage[], here: Here): Promise<FoundDate[]> {
  const words = [...sentence.matchAll(/\S+/gu)].map((match) => ({ text: match[0], at: match.index }));
  const found: FoundDate[] = [];
  let starts = 0;
  for (let first = 0; first < words.length && starts < mostStarts; first++) {
    const word = (words[first]?.text ?? "").replace(/^[\p{Ps}"'“„«]+|(?<![\p{Pe}\p{Po}”“»])[\p{Pe}\p{Po}”“»]+$/gu, "");
    if (!languages.some((language) => dayStart[language].test(word))) continue;
    // All day and every day.
    if (word === "24/7") continue;
    // "30 February 2027" is no day, and what is left of it, a month, is none either.
    if (months.test(word) && !/^\d{1,2}(?!\d)/.test(words[first + 1]?.text ?? "")) continue;
    starts += 1;
    const read = await longest(sentence, words, first, languages, here);
    if (read === undefined || !dayWord.test(sentence.slice(read.from, read.to))) continue;
    const { date, from, to, last } = read;
    if (weekOrMonth.test(sentence.slice(from, to)) && partBefore.test(sentence.slice(0, from))) continue;
    const isElsewhere = date.time !== null && zoneBehind.test(sentence.slice(to));
    const beside = `${sentence.slice(0, from)} ${sentence.slice(to)}`;
    const isClock = clock.test(sentence.slice(from, to));
    if (!date.namesDay && (isElsewhere || !isClock || unreadDay.test(beside))) continue;
    found.push({
      date: isElsewhere ? { ...date, time: null, until: null } : date,
      words: sentence.slice(from, to),
      isDeadline: isAfterDeadline(sentence.slice(0, from), languages),
      onlyAsked: false,
    });
    first = last;
  }
  return found;
}

interface Word {
  readonly text: string;
  readonly at: number;
}

async function longest(
  sentence: string,
  words: readonly Word[],
  first: number,
  languages: readonly DateLanguage[],
  here: Here,
) {
  const start = words[first];
  if (start === undefined) return undefined;
  const from = start.at + (/^[\p{Ps}"'“„«]*/u.exec(start.text)?.[0].length ?? 0);
  for (let last = Math.min(words.length, first + mostWords) - 1; last >= first; last--) {
    const end = words[last];
    if (end === undefined) continue;
    const written = sentence.slice(from, end.at + end.text.length);
    const text = written.replace(/(?<![\p{Pe}”“»,;:!?…])[\p{Pe}”“»,;:!?…]+$|(?<!\d\.\s?\d{1,2})\.$/u, "");
    // A zone in brackets is one as well.
    const date = await dateIn(zoneInBrackets(written) ?? text, here, languages);
    if (date !== undefined) return { date, from, to: from + text.length, last };
  }
  return undefined;
}

/** `10:00 (CET)` without its brackets; undefined where nothing stands in any. */
function zoneInBrackets(text: string): string | undefined {
  const found = / \(([A-Z]{2,4})\)[.,;:!?]?$/u.exec(text);
  return found === null ? undefined : `${text.slice(0, found.index)} ${found[1]}`;
}

/** Whether what stands right before a date makes it a deadline: `by`, `bis zum`, `avant le`. */
function isAfterDeadline(text: string, languages: readonly DateLanguage[]): boolean {
  const near = text.trimEnd().slice(-40);
  return languages.some((language) => {
    const found = [...near.matchAll(new RegExp(before[language], "giu"))].at(-1);
    if (found === undefined) return false;
    const between = near.slice((found.index ?? 0) + found[0].length).trim();
    return between === "" || /^(?:on|the|le|la|el|il|am|den|der|dem|zum|end of|latest)$/iu.test(between);
  });
}
