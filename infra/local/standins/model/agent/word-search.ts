import { fold } from "../text.ts";
import type { MadeCall } from "./exchange.ts";
import type { ToCall } from "./next-turn.ts";
import { type QuestionWord, terms } from "./relevance.ts";

/** Words that are searched for, each by a call of its own: a common one must not push a rare one out. */
const maxWords = 5;
const maxMatches = 80;
const minPatternLetters = 3;

/** A search for each of the words that fewest of these texts hold; longer words first among equals. */
export function searchesFor(words: readonly QuestionWord[], texts: readonly string[], projectId: string): ToCall[] {
  const known = texts.map((text) => new Set(terms(text)));
  return words
    .map((word) => ({ word, holders: known.filter((each) => each.has(word.term)).length }))
    .sort((a, b) => a.holders - b.holders || b.word.term.length - a.word.term.length)
    .slice(0, maxWords)
    .map(({ word }) => ({
      name: "grep_files",
      arguments: {
        project_id: projectId,
        pattern: patternOf(word),
        regex: true,
        ignoreCase: true,
        contextLines: 0,
        maxMatches,
      },
    }));
}

/** Words whose search showed as many lines as it may. */
export function commonWordsOf(words: readonly QuestionWord[], made: readonly MadeCall[]): Set<string> {
  const searches = made.filter(({ name }) => name === "grep_files");
  return new Set(
    words
      .filter((word) =>
        searches.some(
          ({ data, result }) => data["pattern"] === patternOf(word) && result.split("\n").length > maxMatches,
        ),
      )
      .map(({ term }) => term),
  );
}

/** The beginning of a word as it stands in the question, and without its accents, where a word begins. */
function patternOf({ surface, term }: QuestionWord): string {
  const letters = Math.max(minPatternLetters, term.endsWith("i") ? term.length - 1 : term.length);
  const forms = [...new Set([surface.slice(0, letters), fold(surface).slice(0, letters)])];
  return `(?:^|[^\\p{L}\\p{N}])(?:${forms.join("|")})`;
}
