import { emptyWords } from "../summary.ts";
import { fold } from "../triage/text.ts";

/** BM25's usual constants (Robertson and Zaragoza 2009, "The Probabilistic Relevance Framework"). */
const k1 = 1.2;
const b = 0.75;

/** Words of questions that say nothing about what is asked for. */
const asking = new Set(
  "what when where who whom whose which why how does did do can could would should may shall about there me my mine us our tell show find give list please was wer wie wann wo warum welche welcher quand qui quel quelle comment cuando donde quien como many much long often far old lot any some other than then more most less few get got go goes went do done make made between because before after during each every use used using need needs want wants know say says said one two them they their it its".split(
    " ",
  ),
);

/** Words as they are compared: folded, names in code taken apart, endings off. */
export function terms(text: string): string[] {
  const apart = text.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2");
  return (fold(apart).match(/\p{L}+|\p{N}+/gu) ?? [])
    .flatMap(inPairs)
    .filter((word) => (word.length > 1 || digit.test(word)) && !emptyWords.has(word))
    .map(stem);
}

/** "Bed 7" is another than "bed 4". */
const digit = /\p{N}/u;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Endings and particles. */
const hiragana = /^[\p{Script=Hiragana}ー]+$/u;

/** Of scripts without spaces every two characters are compared: a run of them is a sentence, not a word. */
function inPairs(run: string): string[] {
  if (!unspaced.test(run)) return [run];
  const characters = [...run];
  const pairs = characters.slice(1).map((character, at) => `${characters[at]}${character}`);
  return pairs.filter((pair) => !hiragana.test(pair));
}

/** A word of a question: as it is compared, and as it stands there (lower case, composed). */
export interface QuestionWord {
  readonly term: string;
  readonly surface: string;
}

/** What a question asks for, each word once. */
export function questionWords(question: string): QuestionWord[] {
  const surfaces = question
    .normalize("NFC")
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .toLowerCase();
  const words = (surfaces.match(/\p{L}+|\p{N}+/gu) ?? []).flatMap((surface) => {
    if (asking.has(fold(surface))) return [];
    const [term, ...more] = terms(surface);
    if (term === undefined) return [];
    return more.length === 0 ? [[term, surface] as const] : [term, ...more].map((pair) => [pair, pair] as const);
  });
  return [...new Map(words)].map(([term, surface]) => ({ term, surface }));
}

/** The words of a question as they are compared. */
export function questionTerms(question: string): string[] {
  return questionWords(question).map(({ term }) => term);
}

/** Endings off, after the first step of Porter (1980): "libraries", "library"; "classes", "class"; "moved", "move". */
function stem(word: string): string {
  const short = word.replace(/(?:ies|ing|ed|es|(?<!s)s|e)$/, (ending) => (ending === "ies" ? "i" : ""));
  const stemmed = short.length >= 3 ? short : word;
  return stemmed.replace(/(?<=.[^aeiou])y$/, "i");
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
