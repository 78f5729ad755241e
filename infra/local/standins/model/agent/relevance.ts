import { emptyWords } from "../summary.ts";
import { fold } from "../text.ts";

/** BM25's usual constants (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework"). */
const k1 = 1.2;
const b = 0.75;

/** Words of questions that say nothing about what is asked for. */
const asking = new Set(
  "what when where who whom whose which why how does did do can could would should may shall about there me my mine us our tell show find give list please was wer wie wann wo warum welche welcher quand qui quel quelle comment cuando donde quien como".split(
    " ",
  ),
);

/** Words as they are compared: folded, names in code taken apart, endings off. */
export function terms(text: string): string[] {
  const apart = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
  return (fold(apart).match(/\p{L}+|\p{N}+/gu) ?? [])
    .filter((word) => word.length > 1 && !emptyWords.has(word))
    .map(stem);
}

/** What a question asks for. */
export function questionTerms(question: string): string[] {
  return [...new Set(terms(question).filter((word) => !asking.has(word)))];
}

function stem(word: string): string {
  const short = word.replace(/(?:ing|ed|es|s)$/, "");
  return short.length >= 3 ? short : word;
}

/** How well texts fit a question; 0 for those that share no word with it. */
export function relevance(question: readonly string[], texts: readonly string[]): number[] {
  const documents = texts.map(terms);
  const mean = documents.reduce((sum, words) => sum + words.length, 0) / Math.max(1, documents.length) || 1;
  const weights = new Map(
    question.map((word) => {
      const holders = documents.filter((words) => words.includes(word)).length;
      return [word, Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5))];
    }),
  );
  return documents.map((words) =>
    question.reduce((sum, word) => {
      const count = words.filter((each) => each === word).length;
      const norm = count + k1 * (1 - b + (b * words.length) / mean);
      return sum + ((weights.get(word) ?? 0) * count * (k1 + 1)) / norm;
    }, 0),
  );
}

/** The best of them, best first; those that fit not at all are left out. Equals keep their order. */
export function best<T>(
  question: readonly string[],
  all: readonly T[],
  textOf: (each: T) => string,
  most: number,
): T[] {
  const scores = relevance(question, all.map(textOf));
  return all
    .map((each, index) => ({ each, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ each }) => each);
}
