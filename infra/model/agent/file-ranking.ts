import type { Line } from "./answer.ts";
import { terms } from "./relevance.ts";

/** How fast more lines with a word stop counting: BM25's k1 (Robertson and Zaragoza 2009). */
const saturation = 1.2;
/** A path is chosen with more care than a line is written: a word in it counts like so many lines. */
const pathLines = 2;
/** A longer line holds words by chance. */
const passageWords = 40;
/** The least share of a folder's files that hold a word which more lines hold than a search shows. */
const commonShare = 0.25;

/** What is known of a file before it is opened. */
export interface KnownFile {
  readonly path: string;
  readonly summary: string;
}

export interface Evidence {
  readonly files: readonly KnownFile[];
  /** Lines that searches have found. */
  readonly lines: readonly Line[];
  /** Words more lines hold than a search shows. */
  readonly common: ReadonlySet<string>;
  /** Files of the folder in all. */
  readonly total: number;
}

export interface RankedFile {
  readonly path: string;
  readonly score: number;
  /** The share of the question that the file is known to hold, rare words counting more. */
  readonly coverage: number;
}

/**
 * Files that share words with a question, best first: rare words count more, a word in the path more than one in a line, and
 * words that stand together (in one line, or in path and summary) count again. Equals keep their order.
 */
export function rankFiles(question: readonly string[], { files, lines, common, total }: Evidence): RankedFile[] {
  const passages = new Map<string, Passage[]>();
  const inPath = new Map<string, ReadonlySet<string>>();
  for (const { path, summary } of files) {
    inPath.set(path, new Set(terms(path)));
    passages.set(path, [passageOf(`${path} ${summary}`)]);
  }
  for (const { path, text } of lines) {
    if (!inPath.has(path)) inPath.set(path, new Set(terms(path)));
    const known = passages.get(path) ?? [];
    known.push(passageOf(text));
    passages.set(path, known);
  }
  const weights = new Map(
    question.map((word) => {
      const seen = [...passages.values()].filter((each) => each.some(({ words }) => words.has(word))).length;
      const holders = common.has(word) ? Math.max(seen, total * commonShare) : seen;
      return [word, Math.log(1 + (Math.max(total, seen) - holders + 0.5) / (holders + 0.5))];
    }),
  );
  const weightOf = (word: string) => weights.get(word) ?? 0;
  const all = question.reduce((sum, word) => sum + weightOf(word), 0) || 1;
  return [...passages]
    .map(([path, each]) => {
      const counts = question.map((word) => {
        const held = each.filter(({ words }) => words.has(word)).length;
        return { word, count: held + (inPath.get(path)?.has(word) ? pathLines : 0) };
      });
      const held = counts.reduce((sum, { word, count }) => sum + (weightOf(word) * count) / (count + saturation), 0);
      const together = Math.max(
        ...each.map(
          ({ words, share }) => share * question.reduce((sum, word) => sum + (words.has(word) ? weightOf(word) : 0), 0),
        ),
      );
      const known = counts.reduce((sum, { word, count }) => sum + (count > 0 ? weightOf(word) : 0), 0);
      return { path, score: held + together, coverage: known / all };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

interface Passage {
  readonly words: ReadonlySet<string>;
  /** What standing together in it counts; less than 1 when it is long. */
  readonly share: number;
}

function passageOf(text: string): Passage {
  const all = terms(text);
  return { words: new Set(all), share: Math.min(1, passageWords / Math.max(1, all.length)) };
}
