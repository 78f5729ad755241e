import { fold, words } from "../text.ts";
import { type Concept, concepts } from "./lexicon.ts";

/** What a concept's words are matched by. */
export interface Matcher {
  readonly concept: Concept;
  readonly exact: ReadonlySet<string>;
  readonly stems: ReadonlySet<string>;
  readonly phrases: readonly string[];
  readonly unspaced: readonly string[];
}

/** What is written without blanks between words matches wherever it stands. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** The lexicon, ready to be matched. */
export const matchers: readonly Matcher[] = [...concepts].map(([concept, list]) => {
  const [first = "", ...phrases] = list.split("|").map(fold);
  const single = first.split(" ").filter((entry) => entry !== "");
  const spaced = single.filter((entry) => !unspaced.test(entry));
  return {
    concept,
    exact: new Set(spaced.filter((entry) => !entry.endsWith("*"))),
    stems: new Set(spaced.filter((entry) => entry.endsWith("*")).map((entry) => entry.slice(0, -1))),
    phrases: phrases.filter((phrase) => !unspaced.test(phrase)),
    unspaced: [...single, ...phrases].filter((entry) => unspaced.test(entry)),
  };
});

/** How often each concept occurs, by concept, in the lexicon's order. */
export function conceptCounts(folded: string): Map<Concept, number> {
  const counts = new Uint32Array(matchers.length);
  for (const token of words(folded)) for (const at of conceptsOfToken(token)) counts[at] = (counts[at] ?? 0) + 1;
  for (const { of } of phrasesIn(` ${folded.replace(/\s+/g, " ")} `)) counts[of] = (counts[of] ?? 0) + 1;
  if (unspaced.test(folded)) {
    for (const [at, matcher] of matchers.entries()) {
      for (const run of matcher.unspaced) if (folded.includes(run)) counts[at] = (counts[at] ?? 0) + 1;
    }
  }
  return new Map(
    matchers.flatMap(({ concept }, at): [Concept, number][] => {
      const count = counts[at] ?? 0;
      return count > 0 ? [[concept, count]] : [];
    }),
  );
}

/** Words and beginnings of words, each with the places in {@link matchers} it speaks for: a mail has thousands of words. */
const byWord = placesOf(({ exact }) => exact);
const byStem = placesOf(({ stems }) => stems);
/** How long the stems are that begin with these two characters, shortest first: few words begin as a stem does. */
const stemLengths = new Map(
  [...Map.groupBy(byStem.keys(), firstTwo)].map(([two, stems]) => [
    two,
    [...new Set(stems.map(({ length }) => length))].sort((one, other) => one - other),
  ]),
);

function firstTwo(text: string): number {
  return (text.charCodeAt(0) << 16) | text.charCodeAt(1);
}

function placesOf(entriesOf: (matcher: Matcher) => Iterable<string>): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, matcher] of matchers.entries()) {
    for (const entry of entriesOf(matcher)) {
      const known = places.get(entry);
      if (known) known.push(at);
      else places.set(entry, [at]);
    }
  }
  return places;
}

/** A word counts once for a concept, however many of its entries it matches. */
function conceptsOfToken(token: string): Iterable<number> {
  let found: readonly number[] | Set<number> = byWord.get(token) ?? [];
  for (const length of stemLengths.get(firstTwo(token)) ?? []) {
    if (length > token.length) break;
    const places = byStem.get(token.slice(0, length));
    if (places) found = new Set([...found, ...places]);
  }
  return found;
}

interface Phrase {
  readonly text: string;
  /** Its concept's place in {@link matchers}. */
  readonly of: number;
}

const isLetter = /\p{L}/u;
/** So much of a phrase is looked up before the whole is compared: by its first character, then by the two after it. */
const beginningLength = 3;
const afterFirst = (text: string, at: number): number => (text.charCodeAt(at + 1) << 16) | text.charCodeAt(at + 2);
const phrases = matchers.flatMap((matcher, of) => matcher.phrases.map((text): Phrase => ({ text, of })));
const isIndexed = ({ text }: Phrase): boolean => isLetter.test(text.charAt(0)) && text.length >= beginningLength;
/** By number and not by text: a text cut out for each of its words would take most of the time. */
const byBeginning: (ReadonlyMap<number, readonly Phrase[]> | undefined)[] = [];
for (const [first, alike] of Map.groupBy(phrases.filter(isIndexed), ({ text }) => text.charCodeAt(0))) {
  byBeginning[first] = Map.groupBy(alike, ({ text }) => afterFirst(text, 0));
}
const otherPhrases = phrases.filter((phrase) => !isIndexed(phrase));

/** The phrases that stand in a text, each once, and not inside another word: `pret` is not in `interpret`. */
function phrasesIn(text: string): Set<Phrase> {
  const found = new Set(otherPhrases.filter((phrase) => hasPhrase(text, phrase.text)));
  for (let at = 0; at < text.length; at += 1) {
    if (isSmallLatin(text.charCodeAt(at - 1))) continue;
    const alike = byBeginning[text.charCodeAt(at)]?.get(afterFirst(text, at));
    if (alike === undefined) continue;
    for (const phrase of alike) {
      if (text.startsWith(phrase.text, at) && !isLetter.test(text.charAt(at - 1))) found.add(phrase);
    }
  }
  return found;
}

/** The letters that most words of a folded text are made of: inside a word nothing begins. */
const isSmallLatin = (code: number): boolean => code >= 97 && code <= 122;

function hasPhrase(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    if (!isLetter.test(phrase.charAt(0)) || !isLetter.test(text.charAt(at - 1))) return true;
  }
  return false;
}
