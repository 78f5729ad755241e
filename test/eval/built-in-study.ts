import { readFileSync } from "node:fs";
import { join } from "node:path";
import { featuresOf } from "../../infra/model/triage/features.ts";
import { type Calibration, sigmoid } from "../../infra/model/triage/linear-model.ts";
import { decodeModel } from "../../infra/model/triage/model-file.ts";
import { exampleWeight } from "../training/example-weight.ts";
import { operatingPoint } from "../training/figures.ts";
import { crossValidate, type GroupedExample, type HeldOutScore, leaveOneSourceOut } from "../training/folds.ts";
import { mayTrain } from "../training/licence.ts";
import type { CorpusMail } from "./corpus.ts";
import { areaUnderCurve, calibrationError, type Measurement, measure } from "./measure.ts";
import { progress } from "./progress.ts";
import { percent } from "./table.ts";

/** Named measurements with what else was found. */
export interface Study {
  readonly title: string;
  readonly measurements: ReadonlyMap<string, Measurement>;
  readonly notes: readonly string[];
}

interface Example extends GroupedExample {
  readonly subset: string;
}

const weights = join(import.meta.dirname, "..", "..", "infra", "model", "triage", "weights.json");
/** With less spam than this to learn from, a source is not left out. */
const fewestSpam = 100;

/**
 * The built-in model's recipe on mail it has not seen: by cluster and by source, once as it ships (sources whose licence
 * forbids training are only scored) and once with every source in training, which is for this evaluation alone.
 */
export function builtInStudy(mails: readonly CorpusMail[], options: { folds: number; seed: number }): Study[] {
  const { calibration } = decodeModel(JSON.parse(readFileSync(weights, "utf8")));
  const examples: Example[] = mails.map(({ source, cluster, spam, subset, view }) => ({
    source,
    cluster,
    spam,
    subset,
    weight: exampleWeight({ spam, subset }),
    features: featuresOf(view),
  }));
  const regimes = [
    { title: "built-in, as shipped", mayTrain },
    { title: "built-in, trained on all sources", mayTrain: () => true },
  ];
  return regimes.flatMap((regime) => {
    const trainable = examples.filter(regime.mayTrain);
    const spamCount = trainable.filter(({ spam }) => spam).length;
    if (spamCount < fewestSpam || spamCount === trainable.length) return [];
    return [study(examples, regime, calibration, options)];
  });
}

function study(
  examples: readonly Example[],
  regime: { title: string; mayTrain: (example: Example) => boolean },
  calibration: Calibration,
  { folds, seed }: { folds: number; seed: number },
): Study {
  const { title } = regime;
  const held = crossValidate(examples, {
    folds,
    seed,
    mayTrain: regime.mayTrain,
    onFold: progress(`${title}, folds`, folds),
  });
  const sources = [...new Set(examples.map(({ source }) => source))];
  const leftOut = leaveOneSourceOut(examples, {
    minSpam: fewestSpam,
    mayTrain: regime.mayTrain,
    onSource: progress(`${title}, sources left out`, sources.length),
  });
  const figures = (scores: readonly HeldOutScore<Example>[]): Measurement =>
    measure(
      scores.map(({ example, score }) => ({
        ...example,
        saidSpam: sigmoid(calibration.slope * score + calibration.offset) >= operatingPoint,
      })),
      seed,
    );
  const rows = new Map<string, Measurement>();
  rows.set("cross-validation, all", figures(held));
  const trainable = held.filter(({ example }) => regime.mayTrain(example));
  if (trainable.length < held.length) rows.set("cross-validation, sources trained on", figures(trainable));
  const hard = held.filter(({ example }) => example.subset.startsWith("hard_ham"));
  if (hard.length > 0) rows.set("  of these hard_ham", figures(hard));
  for (const [source, own] of Map.groupBy(leftOut, ({ example }) => example.source))
    rows.set(`without ${source}`, figures(own));
  rows.set("sources left out, together", figures(leftOut));
  return {
    title,
    measurements: rows,
    notes: [noteOn("cross-validation", held, calibration), noteOn("sources left out", leftOut, calibration)],
  };
}

function noteOn(name: string, scores: readonly HeldOutScore<Example>[], calibration: Calibration): string {
  const stated = scores.map(({ example, score }) => ({
    score,
    spam: example.spam,
    probability: sigmoid(calibration.slope * score + calibration.offset),
  }));
  const area = areaUnderCurve(stated);
  return `${name}: area under the curve ${area === null ? "–" : area.toFixed(4)}, calibration error ${percent(calibrationError(stated))} %`;
}
