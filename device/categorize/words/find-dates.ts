import type { DateLanguage } from "../../work/dates/day-words.ts";
import { dateIn, type Here, type ReadDate } from "../../work/dates/read-date.ts";
import { before, dayStart } from "./phrases.ts";

/** A date as it stands in a sentence. */
export interface FoundDate {
  readonly date: ReadDate;
  /** The words it was read from, verbatim. */
  readonly words: string;
  /** What stands before it makes it a deadline. */
  readonly isDeadline: boolean;
}

const months = /^(?:january|february|march|april|june|july|august|september|october|november|december)$/iu;
/** What a day is told by, in any of the languages: words that are none (`the days`) are read as one now and then. */
const dayWord =
  /\d|(?<!\p{L})(?:today|tonight|tomorrow|yesterday|day after|\p{L}+day|next|in \p{L}+ (?:days?|weeks?|months?)|heute|morgen|übermorgen|uebermorgen|\p{L}+tag|mittwoch|nächste\p{L}?|kommende\p{L}?|aujourd['’]hui|demain|après|apres|\p{L}+di|dimanche|dans|hoy|mañana|manana|pasado|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|pr[óo]xim[oa]|dentro|oggi|domani|dopodomani|luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|sabato|domenica|prossim[oa]|tra|fra)(?!\p{L})/iu;
/** Words a date has at most: `next Friday at 5 pm`, `Freitag, den 27. November 2026`. */
const mostWords = 7;
/** Words of one sentence that a date may begin with. */
const mostStarts = 8;

/**
 * The dates a sentence names, each as long as it can be read, as somebody read them who got the letter.
 *
 * @param languages what the letter is written in; a date that they read differently is not found
 */
export async function datesIn(sentence: string, languages: readonly DateLanguage[], here: Here): Promise<FoundDate[]> {
  const words = [...sentence.matchAll(/\S+/gu)].map((match) => ({ text: match[0], at: match.index }));
  const found: FoundDate[] = [];
  let starts = 0;
  for (let first = 0; first < words.length && starts < mostStarts; first++) {
    const word = (words[first]?.text ?? "").replace(/^[\p{Ps}"'“„«]+|(?<![\p{Pe}\p{Po}”“»])[\p{Pe}\p{Po}”“»]+$/gu, "");
    if (!languages.some((language) => dayStart[language].test(word))) continue;
    // "30 February 2027" is no day, and what is left of it, a month, is none either.
    if (months.test(word) && !/^\d{1,2}(?!\d)/.test(words[first + 1]?.text ?? "")) continue;
    starts += 1;
    const read = await longest(sentence, words, first, languages, here);
    if (read === undefined || !dayWord.test(sentence.slice(read.from, read.to))) continue;
    const { date, from, to, last } = read;
    found.push({
      date,
      words: sentence.slice(from, to),
      isDeadline: isAfterDeadline(sentence.slice(0, from), languages),
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
    const text = sentence
      .slice(from, end.at + end.text.length)
      .replace(/(?<![\p{Pe}”“»,;:!?…])[\p{Pe}”“»,;:!?…]+$|\.$/u, "");
    const date = await dateIn(text, here, languages);
    if (date !== undefined) return { date, from, to: from + text.length, last };
  }
  return undefined;
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
