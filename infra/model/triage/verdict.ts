import type { Verdict } from "../../../events/proposals/verdict.ts";
import { head, shownCharacters } from "../../../shared/llm/shown-text.ts";
import type { FirstOpinion } from "../../../shared/scouts/triage/cascade.ts";
import type { Classification, Classifier } from "./classifier.ts";
import { isUnderstood } from "./doubt.ts";
import { reasonCodeOf } from "./kinds/reason-code.ts";
import { itemBlock, parseItem, purposeOf } from "./prompt.ts";
import { purposeOdds } from "./purpose.ts";
import { reasonOf } from "./reason.ts";
import type { MailView } from "./view.ts";

const maxHeaderCharacters = 500;
/** Below it a mail is called relevant: what is as likely wanted as not is shown under its kind and not as a suspicion. */
const leastToAccuse = 0.7;

/** Judges the item in a triage prompt. What the item says about how to be judged is text like any other. */
export function verdictOf(classifier: Classifier, prompt: string): Verdict {
  const view = viewIn(prompt);
  return told(classifier, view, classifier.classify(view, purposeOf(prompt)));
}

/** What the built-in model thinks of the item in a triage prompt, for a home that asks it before its language model. */
export function opinionOf(classifier: Classifier, prompt: string): FirstOpinion {
  const view = viewIn(prompt);
  const purpose = purposeOf(prompt);
  const classified = classifier.classify(view, purpose);
  return {
    model: classifier.name,
    verdict: told(classifier, view, classified),
    spamProbability: classified.spamProbability,
    isUnderstood: isUnderstood(view, classifier.model),
    purposeOdds: purposeOdds(purpose, view),
  };
}

function viewIn(prompt: string): MailView {
  const item = parseItem(itemBlock(prompt));
  return {
    subject: item.subject.slice(0, maxHeaderCharacters).toWellFormed(),
    sender: item.sender.slice(0, maxHeaderCharacters).toWellFormed(),
    body: head(item.body, shownCharacters.letter),
    ...(item.header === undefined ? {} : { header: item.header }),
    ...(item.traits === undefined ? {} : { traits: item.traits }),
  };
}

function told(
  { model, kinds }: Classifier,
  view: MailView,
  { spamProbability, unsure, features }: Classification,
): Verdict {
  const spam = spamProbability >= leastToAccuse;
  const confidence = spam ? spamProbability : Math.max(0.5, 1 - spamProbability);
  return {
    verdict: spam ? "spam" : "relevant",
    reason: reasonOf(view, model, spam, unsure),
    reasonCode: reasonCodeOf(view, features, { kinds, words: model.words, ratings: model.ratings }, spam),
    confidence: Math.round(confidence * 1e4) / 1e4,
  };
}
