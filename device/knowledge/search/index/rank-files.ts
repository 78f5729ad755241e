import { areAlike, sharedKeys } from "../../text/sketch.ts";
import type { FoundDocument, FoundFile } from "./index-rows.ts";

/** Of a file's second and third passage: one that speaks of something all over is likelier meant than one with a mention. */
const furtherPassages = [0.25, 0.1] as const;
/** A file of today counts so much more than one of years ago. */
const recencyShare = 0.12;
const yearMs = 365 * 24 * 3_600_000;
/** Passages with all words come before those with some. */
const allBonus = 1.25;

/** A passage that was found. */
export interface Row {
  readonly id: number;
  readonly score: number;
}

export interface Found {
  readonly strict: readonly Row[];
  readonly loose: readonly Row[];
}

export interface DocumentRows {
  readonly document: FoundDocument;
  readonly rows: Row[];
}

export interface RankedFile extends Omit<FoundFile, "passages"> {
  /** Its passages, best first. */
  readonly best: readonly Row[];
}

/** The best of both. The same question to all of them: a score of all words and one of some are not of one scale. */
export const merged = ({ strict, loose }: Found, most: number): Row[] => [
  ...new Map([...strict.slice(0, most), ...loose.slice(0, most)].map((row) => [row.id, row])).values(),
];

/** Whether a passage is of a document: its passages are numbered one after the other. */
export const isOf = ({ id }: Row, { first, count }: FoundDocument): boolean => id >= first && id < first + count;

/** The passages of other documents. */
export function without({ strict, loose }: Found, documents: Iterable<DocumentRows>): Found {
  const known = [...documents];
  const isOther = (row: Row) => !known.some(({ document }) => isOf(row, document));
  return { strict: strict.filter(isOther), loose: loose.filter(isOther) };
}

/**
 * The files of passages, best first; one of several that say the same.
 *
 * @param complete passages that hold every word
 */
export function ranking(documents: Iterable<DocumentRows>, complete: ReadonlySet<number>, nowMs: number): RankedFile[] {
  const ranked = Array.from(documents, ({ document, rows }) => {
    const best = rows
      .map(({ id, score }) => ({ id, score: score * (complete.has(id) ? allBonus : 1) }))
      .toSorted((a, b) => b.score - a.score);
    const [first = 0, ...further] = best.map(({ score }) => score);
    const more = furtherPassages.reduce((sum, share, at) => sum + share * (further[at] ?? 0), 0);
    const ageMs = Math.max(0, nowMs - document.mtimeMs);
    const score = (first + more) * (1 + recencyShare * Math.exp(-ageMs / yearMs));
    return { document, best, score, hasAll: rows.some(({ id }) => complete.has(id)), alike: [] };
  });
  return withoutDoubles(ranked.toSorted((a, b) => b.score - a.score));
}

/** Files that say the same, or are the same, are one hit: the best of them, with the others named, the newest first. */
function withoutDoubles(files: readonly RankedFile[]): RankedFile[] {
  const shown: { readonly file: RankedFile; readonly others: FoundDocument[] }[] = [];
  const byKey = new Map<string, number[]>();
  for (const file of files) {
    const { hash, sketch } = file.document;
    const keys = [...(hash === "" ? [] : [hash]), ...sharedKeys(sketch)];
    const near = [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))].toSorted((a, b) => a - b);
    const same = near
      .map((at) => shown[at])
      .find((each) => (hash !== "" && each?.file.document.hash === hash) || isAlike(each?.file.document, sketch));
    if (same !== undefined) {
      same.others.push(file.document);
      continue;
    }
    for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), shown.length]);
    shown.push({ file, others: [] });
  }
  return shown.map(({ file, others }) => {
    const alike = others.toSorted((a, b) => b.mtimeMs - a.mtimeMs).map(({ path }) => path);
    return { ...file, alike };
  });
}

const isAlike = (document: FoundDocument | undefined, sketch: Uint8Array): boolean =>
  document !== undefined && areAlike(document.sketch, sketch);
