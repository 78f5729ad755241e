import { existsSync, globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { sigmoid } from "../../infra/model/triage/linear-model.ts";
import type { ModelFile } from "../../infra/model/triage/model-file.ts";
import { calibrate } from "./calibrate.ts";
import { type LabelledMail, readCorpus, readScrub } from "./corpus.ts";
import { encodeKinds, encodeModel } from "./encode-model.ts";
import { confusionOf, type Figures, figuresOf, operatingPoint } from "./figures.ts";
import { trainKinds } from "./kind-trainer.ts";
import { leftOutGroups, scoreLeftOut } from "./left-out.ts";
import { mayTrain } from "./licence.ts";
import { train } from "./trainer.ts";
import { examplesOf, ownExamples } from "./training-set.ts";

/**
 * Trains the built-in model and writes its weights.
 *
 *     node test/training/train.ts DATA [--seed 1] [--spam-share 0.5] [--out FILE] [--scores FILE]
 *
 * DATA is the mail folder: SCRUB.json, dev/*.jsonl.gz and more/*.jsonl.gz. Only sources whose licence allows it are trained
 * on; the others are scored. The same arguments and data give the same file.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string", default: "1" },
    // For which confidence is stated. More than a mailbox has: chosen so that phishing is found as often as before.
    "spam-share": { type: "string", default: "0.5" },
    // Scores of the mail left out, as JSON, for a closer look.
    scores: { type: "string" },
    out: { type: "string", default: join(import.meta.dirname, "../../infra/model/triage/weights.json") },
  },
});
const [data] = positionals;
if (data === undefined || !existsSync(join(data, "dev"))) {
  console.error("Name the folder that holds dev/*.jsonl.gz, for example ../shared/data/mail");
  process.exit(2);
}

const scrub = readScrub(join(data, "SCRUB.json"));
const mails: LabelledMail[] = [];
for (const file of [...globSync(join(data, "dev/*.jsonl.gz")), ...globSync(join(data, "more/*.jsonl.gz"))].sort()) {
  for (const mail of await readCorpus(file, scrub)) mails.push(mail);
}
const seed = Number(values.seed);
const examples = [...examplesOf(mails.filter(mayTrain)), ...ownExamples(seed)];
console.error(`${mails.length} mails, ${examples.length} to train on, made-up ones included`);

const shipped = { ...encodeModel(train(examples)), kinds: encodeKinds(trainKinds(examples)) };

// Each source is judged by a model that knows neither it nor copies of its mail; with its senders as they stand there.
const held = leftOutGroups(mails).flatMap(({ name, held: own }) => {
  console.error(`without ${name}`);
  return scoreLeftOut(own, examples);
});
if (values.scores !== undefined) {
  writeFileSync(values.scores, JSON.stringify(held.map(({ mail, score }) => ({ id: mail.id, score }))));
}
const spamShare = Number(values["spam-share"]);
const calibration = calibrate(
  held
    .filter(({ mail }) => mayTrain(mail))
    .map(({ mail, score: value }) => ({ spam: mail.spam, score: value, group: mail.source })),
  spamShare,
);

function figures(scores: typeof held): Figures {
  const decisions = scores.map(({ mail, score: value }) => ({
    spam: mail.spam,
    saidSpam: sigmoid(calibration.slope * value + calibration.offset) >= operatingPoint,
  }));
  const { mails: count, falsePositives, precision, recall, f1 } = figuresOf(confusionOf(decisions));
  const short = (value: number | null): number | null => (value === null ? null : Math.round(value * 1e4) / 1e4);
  return { mails: count, falsePositives, precision: short(precision), recall: short(recall), f1: short(f1) };
}

const trainedOn: Record<string, number> = {};
for (const { source } of examples) trainedOn[source] = (trainedOn[source] ?? 0) + 1;
const file: ModelFile = {
  format: 5,
  name: "scouts-builtin-13",
  arguments: `--seed ${seed} --spam-share ${values["spam-share"]}`,
  trainedOn,
  figures: Object.fromEntries(
    [...Map.groupBy(held, ({ mail }) => mail.source)].map(([source, own]) => [`left out: ${source}`, figures(own)]),
  ),
  calibration,
  ...shipped,
};
writeFileSync(values.out, `${JSON.stringify(file, undefined, 2)}\n`);
console.log(
  JSON.stringify({ ...file, signals: 0, kinds: 0, words: file.words.count, ratings: file.ratings.count }, undefined, 1),
);
