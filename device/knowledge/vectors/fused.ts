import type { FoundFile, FoundPassage } from "../search/index/index-rows.ts";

/** How well something fits by its words, and by its meaning; null where it was not found so. */
export interface Strengths {
  readonly words: number | null;
  readonly meaning: number | null;
}

/** Passages shown of a file. */
const maxPassages = 3;
/** Reciprocal ranks are taken from here on, so that the first of one list does not outweigh the rest (Cormack, Clarke, Büttcher 2009). */
const rankOffset = 60;

/** Things found in two ways in one order, best first: by the ranks they have in both, since their scores cannot be compared. */
export function byReciprocalRanks<T>(things: readonly T[], strengthsOf: (thing: T) => Strengths): (T & Scored)[] {
  const scores = new Map<T, number>(things.map((thing) => [thing, 0]));
  for (const way of ["words", "meaning"] as const) {
    things
      .flatMap((thing) => {
        const strength = strengthsOf(thing)[way];
        return strength === null ? [] : [{ thing, strength }];
      })
      .toSorted((a, b) => b.strength - a.strength)
      .forEach(({ thing }, rank) => void scores.set(thing, (scores.get(thing) ?? 0) + 1 / (rankOffset + rank + 1)));
  }
  return things.map((thing) => ({ ...thing, score: scores.get(thing) ?? 0 })).toSorted((a, b) => b.score - a.score);
}

interface Scored {
  readonly score: number;
}

/** A file with what it was found by. */
export interface FusedFile extends FoundFile {
  readonly strengths: Strengths;
}

/** Files found by their words and files found by their meaning as one list, each file once. */
export function fusedFiles(byWords: readonly FoundFile[], byMeaning: readonly FoundFile[]): FusedFile[] {
  const near = new Map(byMeaning.map((file) => [file.document.id, file]));
  const named = new Set(byWords.map(({ document }) => document.id));
  // A file may be folded under another in one of the two lists.
  const folded = new Set(byWords.flatMap(({ alike }) => alike));
  const files = [
    ...byWords.map((file): FusedFile => {
      const other = near.get(file.document.id);
      const strengths = { words: file.score, meaning: other?.score ?? null };
      return { ...file, passages: passagesOf(file, other), alike: alikeOf(file, other), strengths };
    }),
    ...byMeaning
      .filter(({ document }) => !named.has(document.id) && !folded.has(document.path))
      .map((file): FusedFile => ({ ...file, strengths: { words: null, meaning: file.score } })),
  ];
  return byReciprocalRanks(files, ({ strengths }) => strengths);
}

/** The best of each way first; a passage that has all words before what only means alike. */
function passagesOf(file: FoundFile, other: FoundFile | undefined): FoundPassage[] {
  const near = other?.passages ?? [];
  const [first, second] = file.hasAll ? [file.passages, near] : [near, file.passages];
  const mixed = Array.from({ length: Math.max(first.length, second.length) }, (_, at) => [first[at], second[at]]);
  const distinct = new Map<number, FoundPassage>();
  for (const passage of mixed.flat())
    if (passage !== undefined && !distinct.has(passage.start)) distinct.set(passage.start, passage);
  return [...distinct.values()].slice(0, maxPassages);
}

const alikeOf = (file: FoundFile, other: FoundFile | undefined): string[] => [
  ...new Set([...file.alike, ...(other?.alike ?? [])]),
];
