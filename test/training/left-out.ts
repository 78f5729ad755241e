import { mailFeaturesOf } from "../../infra/model/triage/features.ts";
import { mailOdds } from "../../infra/model/triage/linear-model.ts";
import type { LabelledMail } from "./corpus.ts";
import { mayTrain } from "./licence.ts";
import { train } from "./trainer.ts";
import type { TrainingExample } from "./training-set.ts";

/** Mail judged together by one model that knows none of its sources. */
export interface LeftOutGroup {
  readonly name: string;
  readonly held: readonly LabelledMail[];
}

/** A mail scored by a model that knows neither its source nor a copy of it. */
export interface LeftOutScore {
  readonly mail: LabelledMail;
  readonly score: number;
}

/** Sources of one sort are left out together, which is harder than one by one: no other list stands in for a list. */
const together: Readonly<Record<string, string>> = {
  usrp_users: "lists",
  apache_lists: "lists",
  notmuch_lists: "lists",
  r_lists: "lists",
  markup_political: "newsletters",
  this_week_in_rust: "newsletters",
};

/** Which sources are judged by which model; those that are never trained on share one that is trained on all others. */
export function leftOutGroups(mails: readonly LabelledMail[]): LeftOutGroup[] {
  const groups = Map.groupBy(mails, (mail) =>
    mayTrain(mail) ? (together[mail.source] ?? mail.source) : "those never trained on",
  );
  return [...groups].map(([name, held]) => ({ name, held }));
}

/** More than this share of its shingles in the mail left out, and a mail is a copy of one of them. */
const copied = 0.5;

/** What of the examples may be learned from before a group is judged: neither its sources nor copies of its mail. */
export function withoutGroup(held: readonly LabelledMail[], examples: readonly TrainingExample[]): TrainingExample[] {
  const sources = new Set(held.map(({ source }) => source));
  return withoutCopies(
    held,
    examples.filter(({ source }) => !sources.has(source)),
  );
}

/** What may be learned from before mail of a language that no source is of is judged: none in it, and no copy of the mail. */
export function withoutLanguage(
  language: string,
  held: readonly LabelledMail[],
  examples: readonly TrainingExample[],
): TrainingExample[] {
  return withoutCopies(
    held,
    examples.filter((each) => each.language !== language),
  );
}

function withoutCopies(held: readonly LabelledMail[], examples: readonly TrainingExample[]): TrainingExample[] {
  const clusters = new Set(held.map(({ cluster }) => cluster));
  const known = new Set(held.flatMap(({ shingles }) => shingles));
  return examples.filter(({ cluster, shingles }) => {
    if (clusters.has(cluster)) return false;
    return shingles.length < 3 || shingles.filter((each) => known.has(each)).length <= copied * shingles.length;
  });
}

/** Scores a group by a model trained on the rest. */
export function scoreLeftOut(held: readonly LabelledMail[], examples: readonly TrainingExample[]): LeftOutScore[] {
  const model = train(withoutGroup(held, examples));
  return held.map((mail) => ({ mail, score: mailOdds(model, mailFeaturesOf(mail.view)) }));
}
