import { type Sureness, sureness } from "../../../shared/scouts/triage/cascade.ts";
import { unwantedMail, wantedMail } from "../../model/messages.ts";
import { readArguments } from "../arguments.ts";
import { loadMail } from "../corpus.ts";
import { dataFiles, hasData } from "../data-files.ts";
import type { Interval } from "../intervals.ts";
import { progress } from "../progress.ts";
import { sample } from "../sample.ts";
import { percent, table } from "../table.ts";
import { trainedOn } from "../trained-on.ts";
import { casesOf } from "./cases.ts";
import { type CascadeFigures, measureCascade } from "./measure.ts";
import { scriptedModel } from "./scripted-model.ts";

const pattern = "mail/{dev,more}/*.jsonl.gz";
const modelAlone: Sureness = { hideFrom: 2, showUpTo: -1 };
const tried: readonly Sureness[] = [
  modelAlone,
  { hideFrom: 0.998, showUpTo: 0.05 },
  { hideFrom: 0.995, showUpTo: 0.05 },
  sureness,
  { hideFrom: 0.99, showUpTo: 0.1 },
  { hideFrom: 0.98, showUpTo: 0.05 },
  { hideFrom: 0.95, showUpTo: 0.1 },
  { hideFrom: 0.9, showUpTo: 0.2 },
  { hideFrom: 0.8, showUpTo: 0.3 },
];

/**
 * `npm run eval -- cascade [FILE…]`: the built-in model before a scripted one of known error and cost, at several thresholds: what is
 * decided first, tokens and errors, as measured and as worked out. Mail of sources that the weights know is left out.
 */
export async function cascadeCommand(args: readonly string[]): Promise<void> {
  const options = readArguments(args);
  const { error, tokens, seed } = options;
  const cases = casesOf(sample(await labelledMail(options.files), options.limit, seed));
  const chat = scriptedModel(cases, { error, tokens, seed });
  const step = progress("thresholds", tried.length);
  const measured: (readonly [Sureness, CascadeFigures])[] = [];
  for (const each of tried) {
    measured.push([each, await measureCascade(cases, chat, each, { error, tokens })]);
    step();
  }
  if (options.json) {
    const rows = measured.map(([thresholds, figures]) => ({ ...thresholds, ...figures }));
    return console.log(JSON.stringify({ seed, error, tokens, mails: cases.length, rows }));
  }
  console.log(
    `A scripted model, wrong about ${percent(error)} % and ${tokens} tokens a mail; ${cases.length} mails that differ, 95 % intervals\n`,
  );
  console.log(table([head, ...measured.map(([thresholds, figures]) => rowOf(thresholds, figures))]));
}

async function labelledMail(files: readonly string[]) {
  if (files.length > 0 || hasData(pattern)) {
    const known = trainedOn();
    return (await loadMail(dataFiles(files, pattern))).filter(({ source }) => !known.has(source));
  }
  const labelled = (mails: typeof wantedMail, spam: boolean) => Object.values(mails).map((view) => ({ view, spam }));
  return [...labelled(unwantedMail, true), ...labelled(wantedMail, false)];
}

const head = [
  "hidden from, shown up to",
  "decided first %",
  "of them wrong",
  "tokens a mail",
  "worked out",
  "wrong %",
  "worked out",
  "wanted hidden",
];

function rowOf(thresholds: Sureness, figures: CascadeFigures): string[] {
  const { mails, decided, decided95, decidedWrong, wrong, wrong95, wantedHidden, tokens, predicted } = figures;
  const isShipped = thresholds === sureness ? " (ships)" : "";
  return [
    thresholds === modelAlone ? "model alone" : `${thresholds.hideFrom}, ${thresholds.showUpTo}${isShipped}`,
    within(decided, mails, decided95),
    String(decidedWrong),
    (tokens / mails).toFixed(1),
    (predicted.tokens / mails).toFixed(1),
    within(wrong, mails, wrong95),
    percent(predicted.wrong / mails),
    String(wantedHidden),
  ];
}

function within(count: number, mails: number, interval: Interval | null): string {
  const ends = interval === null ? "" : ` [${percent(interval[0])}–${percent(interval[1])}]`;
  return `${percent(count / mails)}${ends}`;
}
