import type { Features } from "../../infra/model/triage/features.ts";
import type { MailKind } from "../../infra/model/triage/kinds/mail-kinds.ts";
import type { LinearModel } from "../../infra/model/triage/linear-model.ts";
import { trainKindWords, type WordOptions } from "./fit/kind-words-trainer.ts";
import { fitLogistic, type SparseRow } from "./fit/logistic.ts";
import { knownWords, ratedWords } from "./fit/rated-words.ts";
import { priors } from "./priors.ts";

/** A mail ready to learn from. */
export interface Example {
  readonly source: string;
  readonly spam: boolean;
  /** What sort of mail it is, where that is known. */
  readonly kind?: MailKind | undefined;
  /** How often it counts; 1 when absent. */
  readonly weight?: number;
  readonly features: Features;
}

/** How strongly weights are held to their priors, and how common a word must be. */
export interface TrainingOptions {
  readonly signalPenalty: number;
  readonly priorPenalty: number;
  readonly words: WordOptions;
}

/** What the committed weights are trained with. */
export const defaultTraining: TrainingOptions = {
  signalPenalty: 60,
  priorPenalty: 200,
  words: {
    penalty: 1,
    rated: ratedWords(),
    minMailsOfRated: 2,
    minMails: 4,
    minMailsOfMixedSources: 2,
    minSources: 2,
  },
};

/**
 * Fits a model to examples. Deterministic: the same examples in the same order give the same weights.
 *
 * Signals and words are two opinions, each fitted without the other: together the words would only say what is left over of the
 * training mail, which is what is peculiar to it.
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
  const fitted = fitLogistic({
    rows: examples.map(({ features }) => rowOf(features, signals)),
    labels: examples.map(({ spam }) => (spam ? 1 : 0)),
    weights: examples.map(({ weight = 1 }) => weight),
    columnCount: signals.size,
    penalty,
    priorMean,
  });
  return {
    intercept: fitted[signals.size] ?? 0,
    signals: new Map([...signals].map(([name, column]) => [name, fitted[column] ?? 0])),
    words: trainKindWords(examples, options.words),
    ratings: knownWords(options.words.rated),
  };
}

/** A mail's signals as a row, by their columns. */
export function rowOf(features: Features, signals: ReadonlyMap<string, number>): SparseRow {
  const row = [...features.signals].flatMap(([name, value]) => {
    const column = signals.get(name);
    return column === undefined ? [] : [[column, value] as const];
  });
  return {
    columns: Int32Array.from(row, ([column]) => column),
    values: Float64Array.from(row, ([, value]) => value),
  };
}
