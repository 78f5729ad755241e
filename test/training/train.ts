import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { featuresOf } from "../../infra/model/triage/features.ts";
import { sigmoid } from "../../infra/model/triage/linear-model.ts";
import type { ModelFile } from "../../infra/model/triage/model-file.ts";
import { calibrate } from "./calibrate.ts";
import { type LabelledMail, readCorpus, readScrub } from "./corpus.ts";
import { encodeModel } from "./encode-model.ts";
import { exampleWeight } from "./example-weight.ts";
import { confusionOf, type Figures, figuresOf, operatingPoint } from "./figures.ts";
import { crossValidate, type GroupedExample, type HeldOutScore, leaveOneSourceOut } from "./folds.ts";
import { mayTrain } from "./licence.ts";
import { train } from "./trainer.ts";

/**
 * Trains the built-in model and writes its weights.
 *
 *     node test/training/train.ts DATA [--seed 1] [--folds 10] [--spam-share 0.38] [--out FILE]
 *
 * DATA is the mail folder: SCRUB.json and dev/*.jsonl.gz. Only sources whose licence allows it are trained on; the
 * others are scored. The same arguments and data give the same file.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    folds: { type: "string", default: "10" },
    // The share of spam in all dev mail. Calibration needs one, and the trainable sources alone have half as much.
    "spam-share": { type: "string", default: "0.38" },
    out: { type: "string", default: join(import.meta.dirname, "../../infra/model/triage/weights.json") },
  },
});
const [data] = positionals;
if (data === undefined || !existsSync(join(data, "dev"))) {
  console.error("Name the folder that holds dev/*.jsonl.gz, for example ../shared/data/mail");
  process.exit(2);
}

type Example = GroupedExample & { readonly mail: LabelledMail };

const scrub = readScrub(join(data, "SCRUB.json"));
const files = readdirSync(join(data, "dev"))
  .filter((name) => name.endsWith(".jsonl.gz"))
  .sort();
const examples: Example[] = [];
for (const file of files) {
  for (const mail of await readCorpus(join(data, "dev", file), scrub)) {
    examples.push({
      mail,
      source: mail.source,
      cluster: mail.cluster,
      spam: mail.spam,
      weight: exampleWeight(mail),
      features: featuresOf(mail.view),
    });
  }
}
const seed = Number(values.seed);
const folds = Number(values.folds);
console.error(`${examples.length} mails, ${examples.filter(mayTrain).length} to train on`);

const held = crossValidate(examples, {
  folds,
  seed,
  mayTrain,
  onFold: (fold) => console.error(`fold ${fold + 1}/${folds}`),
});
const calibration = calibrate(
  held.filter(({ example }) => mayTrain(example)).map(({ example, score }) => ({ spam: example.spam, score })),
  Number(values["spam-share"]),
);
const leftOut = leaveOneSourceOut(examples, {
  minSpam: 100,
  mayTrain,
  onSource: (source) => console.error(`without ${source}`),
});

function figures(scores: readonly HeldOutScore<Example>[]): Figures {
  const decisions = scores.map(({ example, score }) => ({
    spam: example.spam,
    saidSpam: sigmoid(calibration.slope * score + calibration.offset) >= operatingPoint,
  }));
  const { mails, falsePositives, precision, recall, f1 } = figuresOf(confusionOf(decisions));
  const short = (value: number | null): number | null => (value === null ? null : Math.round(value * 1e4) / 1e4);
  return { mails, falsePositives, precision: short(precision), recall: short(recall), f1: short(f1) };
}

const trainable = examples.filter(mayTrain);
const trainedOn: Record<string, number> = {};
for (const { source } of trainable) trainedOn[source] = (trainedOn[source] ?? 0) + 1;
const file: ModelFile = {
  format: 1,
  name: "scouts-builtin-1",
  arguments: `--seed ${seed} --folds ${folds} --spam-share ${values["spam-share"]}`,
  trainedOn,
  figures: {
    "cross-validation, trainable sources": figures(held.filter(({ example }) => mayTrain(example))),
    "cross-validation, all sources": figures(held),
    ...Object.fromEntries(
      [...new Set(leftOut.map(({ example }) => example.source))].map((source) => [
        `left out: ${source}`,
        figures(leftOut.filter(({ example }) => example.source === source)),
      ]),
    ),
  },
  calibration,
  ...encodeModel(train(trainable)),
};
writeFileSync(values.out, `${JSON.stringify(file, undefined, 2)}\n`);
console.log(
  JSON.stringify(
    { ...file, signals: Object.keys(file.signals).length, vocabulary: file.vocabulary.count },
    undefined,
    1,
  ),
);
