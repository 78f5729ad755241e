import { fold } from "../triage/text.ts";
import type { MadeCall, ToCall } from "./exchange.ts";
import { type QuestionWord, terms } from "./relevance.ts";

/** Words that are searched for, each by a call of its own: a common one must not push a rare one out. */
const maxWords = 5;
/** Words that are searched for two by two; three pairs of three, six of four. */
const maxPaired = 4;
/** A search that would show more says which files come first in the folder, and nothing about the question. */
const maxMatches = 20;
/** Words so close to each other are about one thing. */
const maxGapLetters = 80;
const minPatternLetters = 3;
const gap = `.{0,${maxGapLetters}}`;

/** A search for each of the words that fewest of these texts hold; longer words first among equals. */
export function searchesFor(words: readonly QuestionWord[], texts: readonly string[], projectId: string): ToCall[] {
  return rarestFirst(words, texts)
    .slice(0, maxWords)
    .map((word) => search(patternOf(word), projectId));
}

/** Searches for two words near each other, of those that are too common alone. */
export function pairSearchesFor(words: readonly QuestionWord[], texts: readonly string[], projectId: string): ToCall[] {
  const paired = rarestFirst(words, texts).slice(0, maxPaired).map(patternOf);
  const pairs = paired.flatMap((one, at) => paired.slice(at + 1).map((other) => ({ one, other })));
  return pairs.map(({ one, other }) => search(`(?:${one}${gap}${other}|${other}${gap}${one})`, projectId));
}

/** Whether a call was a search for two words near each other. */
export function isPairSearch({ name, data }: MadeCall): boolean {
  return name === "grep_files" && String(data["pattern"]).includes(gap);
}

/** Searches that showed all there is. The others show the beginning of the folder. */
export function wholeSearches(made: readonly MadeCall[]): MadeCall[] {
  return made.filter(({ name, result }) => name === "grep_files" && !isFull(result));
}

/** Words that were searched for and have more lines than a search shows. */
export function commonWordsOf(words: readonly QuestionWord[], made: readonly MadeCall[]): QuestionWord[] {
  const full = made.filter(({ name, result }) => name === "grep_files" && isFull(result));
  return words.filter((word) => full.some(({ data }) => data["pattern"] === patternOf(word)));
}

function rarestFirst(words: readonly QuestionWord[], texts: readonly string[]): QuestionWord[] {
  const known = texts.map((text) => new Set(terms(text)));
  // Lines with a single digit are everywhere.
  return words
    .filter(({ term }) => term.length > 1)
    .map((word) => ({ word, holders: known.filter((each) => each.has(word.term)).length }))
    .sort((a, b) => a.holders - b.holders || b.word.term.length - a.word.term.length)
    .map(({ word }) => word);
}

/** The first line of a result is about the others. */
const isFull = (result: string): boolean => result.split("\n").length > maxMatches;

function search(pattern: string, projectId: string): ToCall {
  const how = { regex: true, ignoreCase: true, contextLines: 0, maxMatches };
  return { name: "grep_files", arguments: { project_id: projectId, pattern, ...how } };
}

/** The beginning of a word as it stands in the question, and without its accents, where a word begins. */
function patternOf({ surface, term }: QuestionWord): string {
  const letters = Math.max(minPatternLetters, term.endsWith("i") ? term.length - 1 : term.length);
  const forms = [...new Set([surface.slice(0, letters), fold(surface).slice(0, letters)])];
  return `(?:^|[^\\p{L}\\p{N}])(?:${forms.join("|")})`;
}
