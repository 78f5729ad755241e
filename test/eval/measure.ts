import { type Confusion, confusionOf, type Figures, figuresOf } from "../training/figures.ts";
import { bootstrap, type Interval, wilson } from "./intervals.ts";

/** A decision about a mail whose label is known. */
export interface Decision {
  readonly source: string;
  readonly cluster: string;
  readonly spam: boolean;
  readonly saidSpam: boolean;
}

/** Figures with their 95 % intervals: Wilson for precision and recall, bootstrap over clusters for F1. */
export interface Measurement extends Figures {
  readonly counts: Confusion;
  readonly precision95: Interval | null;
  readonly recall95: Interval | null;
  readonly f195: Interval | null;
}

/** Measures decisions. */
export function measure(decisions: readonly Decision[], seed: number): Measurement {
  const counts = confusionOf(decisions);
  const clusters = [...Map.groupBy(decisions, ({ cluster }) => cluster).values()];
  return {
    ...figuresOf(counts),
    counts,
    precision95: wilson(counts.truePositives, counts.truePositives + counts.falsePositives),
    recall95: wilson(counts.truePositives, counts.truePositives + counts.falseNegatives),
    f195: bootstrap(clusters, (drawn) => figuresOf(confusionOf(drawn)).f1, { seed }),
  };
}

/** Area under the ROC curve of scores, ties counting half; `null` without both labels. */
export function areaUnderCurve(scored: readonly { score: number; spam: boolean }[]): number | null {
  const sorted = scored.toSorted((one, other) => one.score - other.score);
  const spamCount = sorted.filter(({ spam }) => spam).length;
  const hamCount = sorted.length - spamCount;
  if (spamCount === 0 || hamCount === 0) return null;
  let rankSum = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (end < sorted.length && sorted[end]?.score === sorted[start]?.score) end += 1;
    const rank = (start + 1 + end) / 2;
    rankSum += rank * sorted.slice(start, end).filter(({ spam }) => spam).length;
    start = end;
  }
  return (rankSum - (spamCount * (spamCount + 1)) / 2) / (spamCount * hamCount);
}

/** How far probabilities are from what came true: mean over ten equal bins, weighted by their mails. */
export function calibrationError(stated: readonly { probability: number; spam: boolean }[]): number {
  const bins = Map.groupBy(stated, ({ probability }) => Math.min(9, Math.floor(probability * 10)));
  let error = 0;
  for (const bin of bins.values()) {
    const said = bin.reduce((sum, { probability }) => sum + probability, 0);
    const came = bin.filter(({ spam }) => spam).length;
    error += Math.abs(said - came) / stated.length;
  }
  return error;
}
