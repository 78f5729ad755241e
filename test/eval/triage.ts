import { readArguments } from "./arguments.ts";
import { builtInStudy, type Study } from "./built-in-study.ts";
import { loadMail } from "./corpus.ts";
import { dataFiles } from "./data-files.ts";
import { type Decision, type Measurement, measure } from "./measure.ts";
import { openModel } from "./model-under-test.ts";
import { bayesStudy } from "./naive-bayes-study.ts";
import { priceOf } from "./price.ts";
import { sample } from "./sample.ts";
import { measurementTable, table } from "./table.ts";
import { trainedOn } from "./trained-on.ts";
import { printComparison } from "./triage-comparison.ts";
import { decisionOf, failuresOf, firstOf, type Usage, usage } from "./triage-decisions.ts";
import { judgeAll } from "./verdicts.ts";

/** Below it cross-validation says nothing worth printing. */
const fewestForStudy = 200;

/**
 * `npm run eval -- triage [FILE…]`: precision, recall and F1 of spam, with 95 % intervals, per source; baselines;
 * tokens and cost. For the built-in model also each source left out, by kind and by language. Of several models, or several
 * lengths of what they are shown, one line each.
 */
export async function triageCommand(args: readonly string[]): Promise<void> {
  const options = readArguments(args);
  const mails = sample(
    await loadMail(dataFiles(options.files, "mail/{dev,more}/*.jsonl.gz")),
    options.limit,
    options.seed,
  );
  const [named, ...others] = options.models;
  const [chars = Number.POSITIVE_INFINITY, ...lengths] = options.shownChars;
  if (others.length + lengths.length > 0) return printComparison(mails, options);
  const model = await openModel(process.env, named);
  const price = priceOf(model.name, options.prices);
  const judgements = await judgeAll(
    model.chat,
    mails.map(({ view }) => firstOf(view, chars)),
    { concurrency: options.concurrency, label: "verdicts" },
  ).finally(() => model.close());
  const decisions = mails.map((mail, index) => decisionOf(mail, judgements[index]));
  const known = model.builtIn ? trainedOn() : new Set<string>();
  const verdicts = bySource(decisions, options.seed, (source) =>
    known.has(source) ? `${source} (trained on)` : source,
  );
  const baselines = new Map([
    [
      "do nothing",
      measure(
        decisions.map((each) => ({ ...each, saidSpam: false })),
        options.seed,
      ),
    ],
  ]);
  const studies: Study[] = [];
  if (mails.length >= fewestForStudy) {
    studies.push(...bayesStudy(mails, options));
    if (model.builtIn) studies.push(...builtInStudy(mails, options));
  }
  const use = usage(judgements, price);
  if (options.json) {
    const report = {
      model: model.name,
      seed: options.seed,
      verdicts: Object.fromEntries(verdicts),
      baselines: Object.fromEntries(baselines),
      studies: studies.map(({ title, measurements, notes }) => ({
        title,
        notes,
        measurements: Object.fromEntries(measurements),
      })),
      usage: use,
    };
    console.log(JSON.stringify(report));
    return;
  }
  const flattered = known.size > 0 && mails.some(({ source }) => known.has(source));
  console.log(
    `Model ${model.name}: ${mails.length} mails, spam counts from a confidence of 0.8, percent with 95 % intervals\n`,
  );
  console.log(measurementTable("verdicts through the pipeline's prompt", verdicts));
  if (flattered) console.log("Sources marked (trained on) flatter the model: judge it by what was held out, below.");
  console.log(`\n${measurementTable("baseline", baselines)}`);
  for (const { title, measurements, notes } of studies) {
    console.log(`\n${measurementTable(title, measurements)}`);
    for (const note of notes) console.log(note);
  }
  console.log(`\n${usageTable(use)}`);
}

function bySource(
  decisions: readonly Decision[],
  seed: number,
  nameOf: (source: string) => string,
): Map<string, Measurement> {
  const measurements = new Map([["all", measure(decisions, seed)]]);
  for (const [source, own] of Map.groupBy(decisions, (decision) => decision.source)) {
    measurements.set(nameOf(source), measure(own, seed));
  }
  return measurements;
}

function usageTable(use: Usage): string {
  return table([
    ["tokens in", "tokens out", "tokens a mail", "cost (USD)", "no answer"],
    [
      String(use.inputTokens),
      String(use.outputTokens),
      use.tokensPerMail.toFixed(0),
      use.costUsd?.toFixed(2) ?? "say --price",
      failuresOf(use),
    ],
  ]);
}
