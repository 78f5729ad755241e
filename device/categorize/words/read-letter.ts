import { categorizeBounds } from "../../../events/proposals/categorize.ts";
import type { DateLanguage } from "../../work/dates/day-words.ts";
import { type LetterDate, shownHere } from "../../work/dates/in-language.ts";
import type { Here, ReadDate } from "../../work/dates/read-date.ts";
import { localTimeAt } from "../../work/dates/zone.ts";
import { datesIn, type FoundDate } from "./find-dates.ts";
import { asking, languagesOf, meeting } from "./phrases.ts";
import { sentencesOf } from "./sentences.ts";

/** What a letter's own words come to. Quotes are verbatim. */
export interface LetterWords {
  /** It asks for something to be done. */
  readonly ask: string | null;
  readonly question: string | null;
  /** By when, or when, if it says so in one way. */
  readonly deadline: Dated | null;
  /** A time to come together. */
  readonly meeting: Dated | null;
  readonly isUnclear: boolean;
  /** Every day it names that is not over, in their order. */
  readonly dates: readonly NamedDate[];
}

export interface NamedDate {
  readonly date: ReadDate;
  /** The same as its writer's clock shows it, which is how it stands in the letter. */
  readonly written: ReadDate;
  /** It says by when something is wanted, or when to come together. */
  readonly isBinding: boolean;
}

export interface Dated {
  readonly date: LetterDate;
  readonly quote: string;
}

/** Sentences with dates that are looked at; reading one takes about a millisecond a word. */
const mostDated = 12;

/**
 * @param here when and where the letter is read: its words count from the day it was sent
 * @param offsetMinutes how far its writer's clock is ahead of UTC, where that is not the reader's zone's
 */
export async function readLetter(text: string, here: Here, offsetMinutes?: number): Promise<LetterWords> {
  // What the writer's clock showed, as if that were UTC: the words are read there, and their times moved to the reader's zone.
  const there = offsetMinutes === undefined ? here : { nowMs: here.nowMs + offsetMinutes * 60_000, zone: "UTC" };
  const shown = (date: LetterDate): LetterDate => {
    if (offsetMinutes === undefined || date.time === null) return date;
    return shownHere(date, date.isHere ? 0 : offsetMinutes, here.zone);
  };
  const sentences = sentencesOf(text);
  const languages = languagesOf(sentences.map((each) => each.text).join(" "));
  const says = (phrases: Readonly<Record<DateLanguage, RegExp>>, sentence: string) =>
    languages.some((language) => phrases[language].test(sentence));
  const asks = sentences.filter((each) => says(asking, each.text));
  const questions = sentences.filter(({ isQuestion }) => isQuestion);
  const meetings = sentences.filter((each) => says(meeting, each.text));
  let dated: {
    readonly found: FoundDate;
    readonly written: LetterDate;
    readonly quote: string;
    readonly isMeeting: boolean;
    readonly isAsk: boolean;
  }[] = [];
  // What lies behind when it is written is no day to do something by.
  const today = localTimeAt(there.nowMs, there.zone).slice(0, 10);
  let looked = 0;
  for (const sentence of sentences) {
    if (looked >= mostDated) break;
    if (!/\d/.test(sentence.text) && sentence.text.length > 300) continue;
    const found = await datesIn(sentence.text, languages, there);
    if (found.length > 0) looked += 1;
    const isMeeting = meetings.includes(sentence);
    const isAskedFor = asks.includes(sentence);
    const isAsk = isAskedFor || sentence.isQuestion;
    // A time without its day is one of today where something is asked for; a shop is open until five every day.
    const meant = found.filter(({ date, onlyAsked }) => (onlyAsked ? isAskedFor : date.namesDay || isAsk || isMeeting));
    const ahead = meant.filter(({ date }) => date.day >= today);
    dated.push(
      ...ahead.map((each) => {
        const found = { ...each, date: shown(each.date) };
        return { found, written: each.date, quote: quoteOf(sentence.written), isMeeting, isAsk };
      }),
    );
  }
  // A time alone is of the day it was written, unless the letter names others.
  if (dated.some(({ found }) => found.date.namesDay)) dated = dated.filter(({ found }) => found.date.namesDay);
  const deadlines = dated.filter(({ found }) => found.isDeadline);
  // A day in what is asked for is its day: "Could you call Ada tomorrow?"
  const inAsks = dated.filter(({ isAsk, isMeeting, found }) => isAsk && !isMeeting && !found.isDeadline);
  const chosen = deadlines.length > 0 ? deadlines : inAsks;
  const days = new Set(chosen.map(({ found }) => startOf(found)));
  const [first] = chosen;
  const times = dated.filter(({ isMeeting, found }) => isMeeting && found.date.time !== null && !found.isDeadline);
  const meetAt = new Set(times.map(({ found }) => startOf(found)));
  const [together] = times;
  return {
    ask: asks[0] === undefined ? null : quoteOf(asks[0].written),
    question: questions[0] === undefined ? null : quoteOf(questions[0].written),
    deadline: first === undefined || days.size > 1 ? null : { date: first.found.date, quote: first.quote },
    meeting: together === undefined || meetAt.size > 1 ? null : { date: together.found.date, quote: together.quote },
    isUnclear: days.size > 1 || meetAt.size > 1,
    dates: dated.flatMap(({ found, written, isMeeting, isAsk }) => {
      const isBinding = found.isDeadline || isMeeting || isAsk;
      const { day, until } = found.date;
      const end = { day: written.day, time: written.until };
      const ends = until === null ? [] : [{ date: { day, time: until }, written: end, isBinding }];
      return [{ date: found.date, written, isBinding }, ...ends];
    }),
  };
}

const startOf = ({ date }: FoundDate): string => `${date.day} ${date.time}`;

/** A sentence, or its beginning: still verbatim. */
const quoteOf = (sentence: string): string => {
  const cut = sentence.slice(0, categorizeBounds.quote);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
};
