import { hash } from "../../infra/model/triage/features.ts";
import type { Study } from "./built-in-study.ts";
import type { CorpusMail } from "./corpus.ts";
import { type Decision, type Measurement, measure } from "./measure.ts";
import { trainNaiveBayes } from "./naive-bayes.ts";
import { progress } from "./progress.ts";

/** Naive Bayes on the same view: cross-validated by cluster, and each source left out. It may train on every source. */
export function bayesStudy(mails: readonly CorpusMail[], options: { folds: number; seed: number }): Study[] {
  const { folds, seed } = options;
  const foldOf = (mail: CorpusMail): number => hash(`${seed} ${mail.cluster}`) % folds;
  const step = progress("naive Bayes", folds);
  const decisions: Decision[] = [];
  for (let fold = 0; fold < folds; fold += 1) {
    decisions.push(
      ...decide(
        mails.filter((mail) => foldOf(mail) !== fold),
        mails.filter((mail) => foldOf(mail) === fold),
      ),
    );
    step();
  }
  const measurements = new Map<string, Measurement>([["naive Bayes, cross-validation", measure(decisions, seed)]]);
  for (const source of new Set(mails.map((mail) => mail.source))) {
    const held = mails.filter((mail) => mail.source === source);
    const clusters = new Set(held.map(({ cluster }) => cluster));
    const rest = mails.filter((mail) => mail.source !== source && !clusters.has(mail.cluster));
    const spamCount = rest.filter(({ spam }) => spam).length;
    if (spamCount === 0 || spamCount === rest.length) continue;
    measurements.set(`naive Bayes without ${source}`, measure(decide(rest, held), seed));
  }
  return [{ title: "peer", measurements, notes: [] }];
}

/** Bayes' probabilities crowd at 0 and 1, so its own even odds decide. */
function decide(training: readonly CorpusMail[], held: readonly CorpusMail[]): Decision[] {
  const odds = trainNaiveBayes(training);
  return held.map(({ source, cluster, spam, view }) => ({ source, cluster, spam, saidSpam: odds(view) > 0 }));
}
