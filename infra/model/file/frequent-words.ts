import { emptyWords } from "../summary.ts";
import { fold } from "../triage/text.ts";

const minLetters = 4;
/** More words of a text are not counted. */
const maxWords = 20_000;
const slight = new Set(
  "about after also been before being between both could does each else every further here http https into just like made make many more most much need only other over same should since some such than their them then there these they through under until upon used user uses using very want well were what when where which while will within without would your www com html href true false null none".split(
    " ",
  ),
);

/**
 * The words a text says most often, most often first, as they stand there; those said once only, and those in `said`
 * already, are left out.
 */
export function frequentWords(text: string, most: number, said = ""): string[] {
  const known = new Set(wordsOf(said).map(fold));
  const counts = new Map<string, { word: string; count: number }>();
  for (const word of wordsOf(text).slice(0, maxWords)) {
    const key = fold(word);
    if (slight.has(key) || emptyWords.has(key) || known.has(key)) continue;
    const entry = counts.get(key);
    if (entry) entry.count++;
    else counts.set(key, { word, count: 1 });
  }
  return [...counts.values()]
    .filter(({ count }) => count > 1)
    .sort((a, b) => b.count - a.count)
    .slice(0, most)
    .map(({ word }) => word);
}

const wordsOf = (text: string): string[] => text.match(new RegExp(`\\p{L}{${minLetters},30}`, "gu")) ?? [];
