import type { Features } from "../../infra/model/triage/features.ts";
import type { LinearModel } from "../../infra/model/triage/linear-model.ts";
import { fitLogistic, type SparseRow } from "./logistic.ts";
import { priors } from "./priors.ts";

/** A mail ready to learn from. */
export interface Example {
  readonly source: string;
  readonly spam: boolean;
  /** How often it counts; 1 when absent. */
  readonly weight?: number;
  readonly features: Features;
}

/** How strongly weights are held to their priors, and how common a vocabulary feature must be. */
export interface TrainingOptions {
  readonly signalPenalty: number;
  readonly priorPenalty: number;
  readonly vocabularyPenalty: number;
  /** Fewest mails of the training set a vocabulary feature occurs in. */
  readonly minMails: number;
  /** Fewest of them from sources that have spam: without it a list's own topics would stand for wanted mail. */
  readonly minMailsOfMixedSources: number;
}

/** What the committed weights are trained with. */
export const defaultTraining: TrainingOptions = {
  signalPenalty: 20,
  priorPenalty: 100,
  vocabularyPenalty: 6,
  minMails: 4,
  minMailsOfMixedSources: 2,
};

/** Fits a model to examples. Deterministic: the same examples in the same order give the same weights. */
export function train(examples: readonly Example[], options: TrainingOptions = defaultTraining): LinearModel {
  const vocabulary = selectVocabulary(examples, options);
  const signals = new Map<string, number>();
  for (const name of [...Object.keys(priors), ...examples.flatMap((example) => [...example.features.signals.keys()])]) {
    if (!signals.has(name)) signals.set(name, signals.size);
  }
  const columns = new Map([...vocabulary].map((key, index) => [key, signals.size + index]));
  const columnCount = signals.size + columns.size;
  const penalty = new Float64Array(columnCount).fill(options.vocabularyPenalty);
  const priorMean = new Float64Array(columnCount);
  for (const [name, column] of signals) {
    penalty[column] = name in priors ? options.priorPenalty : options.signalPenalty;
    priorMean[column] = priors[name] ?? 0;
  }
  const weights = fitLogistic({
    rows: examples.map(({ features }) => rowOf(features, signals, columns)),
    labels: examples.map(({ spam }) => (spam ? 1 : 0)),
    weights: examples.map(({ weight = 1 }) => weight),
    columnCount,
    penalty,
    priorMean,
  });
  return {
    intercept: weights[columnCount] ?? 0,
    signals: new Map([...signals].map(([name, column]) => [name, weights[column] ?? 0])),
    vocabulary: new Map([...columns].map(([key, column]) => [key, weights[column] ?? 0])),
  };
}

function selectVocabulary(examples: readonly Example[], options: TrainingOptions): Set<number> {
  const mixed = new Set(examples.filter(({ spam }) => spam).map(({ source }) => source));
  const mails = new Map<number, number>();
  const mailsOfMixed = new Map<number, number>();
  for (const { source, features } of examples) {
    for (const key of features.vocabulary.keys) {
      mails.set(key, (mails.get(key) ?? 0) + 1);
      if (mixed.has(source)) mailsOfMixed.set(key, (mailsOfMixed.get(key) ?? 0) + 1);
    }
  }
  const chosen = [...mails].filter(
    ([key, count]) => count >= options.minMails && (mailsOfMixed.get(key) ?? 0) >= options.minMailsOfMixedSources,
  );
  return new Set(chosen.map(([key]) => key));
}

/** A mail as a row: its signals and entries by their columns. */
export function rowOf(features: Features, signals: Map<string, number>, columns: Map<number, number>): SparseRow {
  const row: (readonly [column: number, value: number])[] = [];
  for (const [name, value] of features.signals) {
    const column = signals.get(name);
    if (column !== undefined) row.push([column, value]);
  }
  for (const [index, key] of features.vocabulary.keys.entries()) {
    const column = columns.get(key);
    if (column !== undefined) row.push([column, features.vocabulary.values[index] ?? 0]);
  }
  return {
    columns: Int32Array.from(row, ([column]) => column),
    values: Float64Array.from(row, ([, value]) => value),
  };
}
