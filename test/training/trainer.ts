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
  /** How much of what the vocabulary says by itself counts beside the signals: both know of the same words. */
  readonly vocabularyShare: number;
  /** Fewest mails of the training set a vocabulary feature occurs in. */
  readonly minMails: number;
  /** Fewest of them from sources that have spam: without it a list's own topics would stand for wanted mail. */
  readonly minMailsOfMixedSources: number;
  /** Fewest sources it occurs in: what only one of them says is its own. */
  readonly minSources: number;
}

/** What the committed weights are trained with. */
export const defaultTraining: TrainingOptions = {
  signalPenalty: 30,
  priorPenalty: 100,
  vocabularyPenalty: 1,
  vocabularyShare: 0.5,
  minMails: 4,
  minMailsOfMixedSources: 2,
  minSources: 2,
};

/**
 * Fits a model to examples. Deterministic: the same examples in the same order give the same weights.
 *
 * Signals and vocabulary are two opinions, each fitted without the other: together the vocabulary would only say what is left over
 * of the training mail, which is what is peculiar to it.
 */
export function train(examples: readonly Example[], options: TrainingOptions = defaultTraining): LinearModel {
  const signals = new Map<string, number>();
  for (const name of [...Object.keys(priors), ...examples.flatMap((example) => [...example.features.signals.keys()])]) {
    if (!signals.has(name)) signals.set(name, signals.size);
  }
  const penalty = new Float64Array(signals.size);
  const priorMean = new Float64Array(signals.size);
  for (const [name, column] of signals) {
    penalty[column] = name in priors ? options.priorPenalty : options.signalPenalty;
    priorMean[column] = priors[name] ?? 0;
  }
  const ofSignals = weightsOf(examples, signals, new Map(), penalty, priorMean);
  const columns = new Map([...selectVocabulary(examples, options)].map((key, column) => [key, column]));
  const ofVocabulary = weightsOf(
    examples,
    new Map(),
    columns,
    new Float64Array(columns.size).fill(options.vocabularyPenalty),
    new Float64Array(columns.size),
  );
  return {
    intercept: ofSignals[signals.size] ?? 0,
    signals: new Map([...signals].map(([name, column]) => [name, ofSignals[column] ?? 0])),
    vocabularyIntercept: options.vocabularyShare * (ofVocabulary[columns.size] ?? 0),
    vocabulary: new Map(
      [...columns].map(([key, column]) => [key, options.vocabularyShare * (ofVocabulary[column] ?? 0)]),
    ),
  };
}

function weightsOf(
  examples: readonly Example[],
  signals: Map<string, number>,
  columns: Map<number, number>,
  penalty: Float64Array,
  priorMean: Float64Array,
): Float64Array {
  return fitLogistic({
    rows: examples.map(({ features }) => rowOf(features, signals, columns)),
    labels: examples.map(({ spam }) => (spam ? 1 : 0)),
    weights: examples.map(({ weight = 1 }) => weight),
    columnCount: penalty.length,
    penalty,
    priorMean,
  });
}

function selectVocabulary(examples: readonly Example[], options: TrainingOptions): Set<number> {
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
  const chosen = [...found].filter(
    ([, { mails, ofMixed, sources }]) =>
      mails >= options.minMails && ofMixed >= options.minMailsOfMixedSources && sources.size >= options.minSources,
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
