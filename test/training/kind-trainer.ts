import { type MailKind, unwantedKinds } from "../../infra/model/triage/kinds/mail-kinds.ts";
import { fitLogistic } from "./fit/logistic.ts";
import { kindWeights } from "./kind-weights.ts";
import { lettersSource } from "./letters.ts";
import { rowOf } from "./trainer.ts";
import { madeSource, type TrainingExample } from "./training-set.ts";

/** Kinds are told by signals alone, held this strongly to nought: what a source writes about must not stand for its kind. */
const penalty = 10;
/** A kind's mails of one source count as so many at most, */
const mostOfSource = 150;
/** and the project's own this many times: they are of every kind and of no collection. */
const ownCount: Readonly<Record<string, number>> = { [lettersSource]: 4, [madeSource]: 6 };

/** Weights of signals by kind, `""` the intercept: wanted kinds as written down, each unwanted one against the others. */
export function trainKinds(examples: readonly TrainingExample[]): Partial<Record<MailKind, Map<string, number>>> {
  const weights: Partial<Record<MailKind, Map<string, number>>> = {};
  for (const [kind, own] of Object.entries(kindWeights))
    weights[kind as keyof typeof kindWeights] = new Map(Object.entries(own));
  const unwanted = examples.filter(({ kind }) => kind !== undefined && unwantedKinds.includes(kind));
  for (const kind of unwantedKinds) weights[kind] = against(kind, unwanted);
  return weights;
}

function against(kind: MailKind, examples: readonly TrainingExample[]): Map<string, number> {
  const signals = new Map<string, number>();
  for (const { features } of examples) {
    for (const name of features.signals.keys()) if (!signals.has(name)) signals.set(name, signals.size);
  }
  const groupOf = (example: TrainingExample): string => `${example.source} ${example.kind}`;
  const sizes = new Map([...Map.groupBy(examples, groupOf)].map(([group, { length }]) => [group, length] as const));
  const fitted = fitLogistic({
    rows: examples.map(({ features }) => rowOf(features, signals)),
    labels: examples.map((example) => (example.kind === kind ? 1 : 0)),
    weights: examples.map((example) =>
      Math.min(1, (ownCount[example.source] ?? 1) * (mostOfSource / (sizes.get(groupOf(example)) ?? 1))),
    ),
    columnCount: signals.size,
    penalty: new Float64Array(signals.size).fill(penalty),
    priorMean: new Float64Array(signals.size),
  });
  return new Map([
    ["", fitted[signals.size] ?? 0],
    ...[...signals].map(([name, column]) => [name, fitted[column] ?? 0] as const),
  ]);
}
