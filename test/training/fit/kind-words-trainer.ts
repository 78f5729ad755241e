import type { KindWords } from "../../../infra/model/triage/kinds/kind-words.ts";
import { type MailKind, mailKinds, unwantedKinds } from "../../../infra/model/triage/kinds/mail-kinds.ts";
import type { Example } from "../trainer.ts";
import type { SparseRow } from "./logistic.ts";
import { type Loss, minimize } from "./minimize.ts";

/** How words are chosen and how strongly their weights are held to what is said of them beforehand. */
export interface WordOptions {
  readonly penalty: number;
  /** What is said of words beforehand, in the order of {@link mailKinds}, by the word's hash; of all others nothing. */
  readonly rated: ReadonlyMap<number, readonly number[]>;
  /** Fewest mails of the training set a rated word occurs in. */
  readonly minMailsOfRated: number;
  /** Fewest mails of the training set a word occurs in. */
  readonly minMails: number;
  /** Fewest of them from sources that have spam: without it a list's own topics would stand for wanted mail. */
  readonly minMailsOfMixedSources: number;
  /** Fewest sources it occurs in: what only one of them says is its own. */
  readonly minSources: number;
}

const kindCount = mailKinds.length;
/** A word that both sides say exactly as often stays at what is said of it beforehand. */
const leastSpread = 1e-3;

/**
 * Fits what words say of a mail's kind. Of a mail whose kind is not known, only whether it is wanted, any kind of that sort is
 * right (the likelihood of a sum of kinds).
 */
export function trainKindWords(examples: readonly Example[], options: WordOptions): KindWords {
  const columns = new Map([...selectWords(examples, options)].map((key, column) => [key, column]));
  const plain = examples.map(({ features: { vocabulary } }) => rowOf(vocabulary, columns));
  const spread = spreadOf(examples, plain, columns.size);
  // Scaled and not held by a penalty of its own each: that would be the same optimum, which the search hardly finds.
  const rows = plain.map((row) => ({
    columns: row.columns,
    values: row.values.map((value, at) => value * (spread[row.columns[at] ?? 0] ?? 0)),
  }));
  const mean = new Float64Array((columns.size + 1) * kindCount);
  for (const [key, column] of columns) {
    const weights = options.rated.get(key) ?? [];
    mean.set(
      weights.map((weight) => weight / (spread[column] ?? 1)),
      column * kindCount,
    );
  }
  const fitted = minimize(lossOf(examples, rows, options.penalty, mean), mean);
  const end = columns.size * kindCount;
  return {
    intercepts: Float32Array.from(fitted.subarray(end)),
    rows: new Map([...columns].map(([key, column]) => [key, column * kindCount])),
    weights: Float32Array.from(
      fitted.subarray(0, end),
      (weight, at) => weight * (spread[Math.trunc(at / kindCount)] ?? 0),
    ),
  };
}

function selectWords(examples: readonly Example[], options: WordOptions): Set<number> {
  const mixed = new Set(examples.filter(({ spam }) => spam).map(({ source }) => source));
  const found = new Map<number, { mails: number; ofMixed: number; readonly sources: Set<string> }>();
  for (const { source, features } of examples) {
    for (const key of features.vocabulary.keys) {
      const entry = found.get(key) ?? { mails: 0, ofMixed: 0, sources: new Set() };
      found.set(key, entry);
      entry.mails += 1;
      if (mixed.has(source)) entry.ofMixed += 1;
      entry.sources.add(source);
    }
  }
  const chosen = [...found].filter(([key, { mails, ofMixed, sources }]) =>
    options.rated.has(key) && mails >= options.minMailsOfRated
      ? true
      : mails >= options.minMails && ofMixed >= options.minMailsOfMixedSources && sources.size >= options.minSources,
  );
  return new Set(chosen.map(([key]) => key));
}

function rowOf({ keys, values }: Example["features"]["vocabulary"], columns: ReadonlyMap<number, number>): SparseRow {
  const known = [...keys.keys()].filter((index) => columns.has(keys[index] ?? 0));
  return {
    columns: Int32Array.from(known, (index) => columns.get(keys[index] ?? 0) ?? 0),
    values: Float64Array.from(known, (index) => values[index] ?? 0),
  };
}

/**
 * How differently unwanted and wanted mail use each word: the root of its log-ratio, about 1 in the mean. What both say as often
 * has little to tell and is held tightly (after Wang and Manning 2012, who scale a word by that ratio).
 */
function spreadOf(examples: readonly Example[], rows: readonly SparseRow[], columnCount: number): Float64Array {
  const counts = [new Float64Array(columnCount).fill(1), new Float64Array(columnCount).fill(1)] as const;
  const totals = [0, 0];
  for (const [index, { spam, weight = 1 }] of examples.entries()) {
    const side = spam ? 1 : 0;
    totals[side] = (totals[side] ?? 0) + weight;
    for (const column of rows[index]?.columns ?? []) {
      counts[side][column] = (counts[side][column] ?? 0) + weight;
    }
  }
  const [wanted, unwanted] = counts;
  const share = (totals[0] ?? 1) / (totals[1] || 1);
  const ratios = unwanted.map((count, column) => Math.abs(Math.log((count * share) / (wanted[column] ?? 1))));
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / Math.max(1, columnCount);
  return ratios.map((ratio) => Math.max(leastSpread, Math.sqrt(ratio / mean)));
}

/** Which kinds a mail may be of, by their place in {@link mailKinds}. */
function allowedKinds({ kind, spam }: Example): readonly number[] {
  const isOfSort = (each: MailKind): boolean => unwantedKinds.includes(each) === spam;
  const isAllowed = (each: MailKind): boolean =>
    kind !== undefined && isOfSort(kind) ? each === kind : isOfSort(each);
  return mailKinds.flatMap((each, place) => (isAllowed(each) ? [place] : []));
}

function lossOf(examples: readonly Example[], rows: readonly SparseRow[], penalty: number, mean: Float64Array): Loss {
  const allowed = examples.map(allowedKinds);
  const odds = new Float64Array(kindCount);
  return (weights, gradient) => {
    const end = weights.length - kindCount;
    let loss = 0;
    gradient.fill(0);
    for (let at = 0; at < end; at += 1) {
      const apart = (weights[at] ?? 0) - (mean[at] ?? 0);
      loss += 0.5 * penalty * apart * apart;
      gradient[at] = penalty * apart;
    }
    for (const [index, { columns, values }] of rows.entries()) {
      odds.set(weights.subarray(end));
      for (let entry = 0; entry < columns.length; entry += 1) {
        const row = (columns[entry] ?? 0) * kindCount;
        const value = values[entry] ?? 0;
        for (let kind = 0; kind < kindCount; kind += 1) {
          odds[kind] = (odds[kind] ?? 0) + (weights[row + kind] ?? 0) * value;
        }
      }
      const most = Math.max(...odds);
      const shares = odds.map((each) => Math.exp(each - most));
      const kinds = allowed[index] ?? [];
      const total = shares.reduce((sum, each) => sum + each, 0);
      const right = kinds.reduce((sum, kind) => sum + (shares[kind] ?? 0), 0);
      const counted = examples[index]?.weight ?? 1;
      loss += counted * (Math.log(total) - Math.log(Math.max(right, 1e-300)));
      for (let kind = 0; kind < kindCount; kind += 1) {
        const share = shares[kind] ?? 0;
        const should = kinds.includes(kind) ? share / Math.max(right, 1e-300) : 0;
        odds[kind] = counted * (share / total - should);
      }
      for (let kind = 0; kind < kindCount; kind += 1)
        gradient[end + kind] = (gradient[end + kind] ?? 0) + (odds[kind] ?? 0);
      for (let entry = 0; entry < columns.length; entry += 1) {
        const row = (columns[entry] ?? 0) * kindCount;
        const value = values[entry] ?? 0;
        for (let kind = 0; kind < kindCount; kind += 1) {
          gradient[row + kind] = (gradient[row + kind] ?? 0) + (odds[kind] ?? 0) * value;
        }
      }
    }
    return loss;
  };
}
