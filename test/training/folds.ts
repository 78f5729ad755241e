import { hash } from "../../infra/model/triage/features.ts";
import { type LinearModel, score } from "../../infra/model/triage/linear-model.ts";
import { type Example, train } from "./trainer.ts";

/** An example that knows its near-duplicates: a cluster is never split between training and test. */
export interface GroupedExample extends Example {
  readonly cluster: string;
}

/** A score given to a mail by a model that had seen neither it nor a near-duplicate. */
export interface HeldOutScore<E extends GroupedExample> {
  readonly example: E;
  readonly score: number;
}

type Trainer = (examples: readonly Example[]) => LinearModel;

/**
 * Cross-validation grouped by cluster; folds are drawn by a seeded hash of the cluster.
 *
 * Mail that `mayTrain` refuses is scored in its fold like any other and never trained on.
 */
export function crossValidate<E extends GroupedExample>(
  examples: readonly E[],
  options: {
    folds: number;
    seed: number;
    mayTrain?: (example: E) => boolean;
    learn?: Trainer;
    onFold?: (fold: number) => void;
  },
): HeldOutScore<E>[] {
  const { folds, seed, mayTrain = () => true, learn = train, onFold } = options;
  const foldOf = (example: E): number => hash(`${seed} ${example.cluster}`) % folds;
  return Array.from({ length: folds }, (_, fold) => {
    onFold?.(fold);
    const model = learn(examples.filter((example) => foldOf(example) !== fold && mayTrain(example)));
    return examples
      .filter((example) => foldOf(example) === fold)
      .map((example) => ({ example, score: score(model, example.features) }));
  }).flat();
}

/**
 * Scores each source by a model trained on the others. A source whose absence leaves training without spam or without
 * ham, or with fewer than `minSpam` spam, is left out of the result.
 */
export function leaveOneSourceOut<E extends GroupedExample>(
  examples: readonly E[],
  options: {
    minSpam: number;
    mayTrain?: (example: E) => boolean;
    learn?: Trainer;
    onSource?: (source: string) => void;
  },
): HeldOutScore<E>[] {
  const { minSpam, mayTrain = () => true, learn = train, onSource } = options;
  return [...new Set(examples.map(({ source }) => source))].flatMap((source) => {
    const held = examples.filter((example) => example.source === source);
    const clusters = new Set(held.map(({ cluster }) => cluster));
    const rest = examples.filter(
      (example) => mayTrain(example) && example.source !== source && !clusters.has(example.cluster),
    );
    const spamCount = rest.filter(({ spam }) => spam).length;
    if (spamCount < minSpam || spamCount === rest.length) return [];
    onSource?.(source);
    const model = learn(rest);
    return held.map((example) => ({ example, score: score(model, example.features) }));
  });
}
