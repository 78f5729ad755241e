import type { EvalArguments } from "./arguments.ts";
import type { CorpusMail } from "./corpus.ts";
import { type Measurement, measure } from "./measure.ts";
import { openModel } from "./model-under-test.ts";
import { priceOf } from "./price.ts";
import { percent, table } from "./table.ts";
import { decisionOf, failuresOf, firstOf, type Usage, usage } from "./triage-decisions.ts";
import { judgeAll } from "./verdicts.ts";

interface Compared {
  readonly model: string;
  /** Characters of the text that were shown at most; null: as many as the product shows. */
  readonly shownChars: number | null;
  readonly measurement: Measurement;
  readonly usage: Usage;
}

/**
 * Measures each model with each length of text on the same mail, and prints a line for each: what a better verdict costs.
 *
 * @throws EvaluationError for a model that cannot be asked
 */
export async function printComparison(mails: readonly CorpusMail[], options: EvalArguments): Promise<void> {
  const models = options.models.length === 0 ? [undefined] : options.models;
  const lengths = options.shownChars.length === 0 ? [Number.POSITIVE_INFINITY] : options.shownChars;
  const compared: Compared[] = [];
  for (const named of models) {
    const model = await openModel(process.env, named);
    try {
      const price = priceOf(model.name, options.prices);
      for (const chars of lengths) {
        const judgements = await judgeAll(
          model.chat,
          mails.map(({ view }) => firstOf(view, chars)),
          { concurrency: options.concurrency, label: `verdicts of ${model.name}` },
        );
        const decisions = mails.map((mail, index) => decisionOf(mail, judgements[index]));
        compared.push({
          model: model.name,
          shownChars: Number.isFinite(chars) ? chars : null,
          measurement: measure(decisions, options.seed),
          usage: usage(judgements, price),
        });
      }
    } finally {
      await model.close();
    }
  }
  if (options.json) console.log(JSON.stringify({ seed: options.seed, mails: mails.length, compared }));
  else console.log(comparisonTable(compared));
}

function comparisonTable(compared: readonly Compared[]): string {
  const head = [
    "model",
    "characters",
    "mails",
    "precision",
    "recall",
    "F1",
    "tokens a mail",
    "USD a 1,000 mails",
    "no answer",
  ];
  return table([
    head,
    ...compared.map(({ model, shownChars, measurement, usage: use }) => [
      model,
      shownChars === null ? "all" : String(shownChars),
      String(measurement.mails),
      percent(measurement.precision),
      percent(measurement.recall),
      percent(measurement.f1),
      use.tokensPerMail.toFixed(0),
      use.costUsd === null ? "say --price" : ((1_000 * use.costUsd) / Math.max(1, measurement.mails)).toFixed(3),
      failuresOf(use),
    ]),
  ]);
}
