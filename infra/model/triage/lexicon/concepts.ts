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

/** How often each concept occurs, by concept. */
export function conceptCounts(folded: string): Map<Concept, number> {
  const counts = new Map<Concept, number>();
  const tokens = words(folded);
  const spaced = ` ${folded.replace(/\s+/g, " ")} `;
  const isUnspaced = unspaced.test(folded);
  for (const { concept, exact, stems, phrases, unspaced: runs } of matchers) {
    let count = 0;
    for (const token of tokens) if (exact.has(token) || startsWithStem(token, stems)) count += 1;
    for (const phrase of phrases) if (hasPhrase(spaced, phrase)) count += 1;
    if (isUnspaced) for (const run of runs) if (folded.includes(run)) count += 1;
    if (count > 0) counts.set(concept, count);
  }
  return counts;
}

/** Whether a phrase stands in a text, and not inside another word: `pret` is not in `interpret`. */
function hasPhrase(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + 1)) {
    if (!isLetter.test(phrase.charAt(0)) || !isLetter.test(text.charAt(at - 1))) return true;
  }
  return false;
}

const isLetter = /\p{L}/u;

function startsWithStem(token: string, stems: ReadonlySet<string>): boolean {
  for (let length = 3; length <= token.length && length <= 14; length += 1) {
    if (stems.has(token.slice(0, length))) return true;
  }
  return false;
}
