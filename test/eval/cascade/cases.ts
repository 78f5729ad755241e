import { itemBlock } from "../../../infra/model/triage/prompt.ts";
import { shippedClassifier } from "../../../infra/model/triage/shipped.ts";
import { opinionOf } from "../../../infra/model/triage/verdict.ts";
import type { MailView } from "../../../infra/model/triage/view.ts";
import type { FirstOpinion } from "../../../shared/scouts/triage/cascade.ts";
import { promptFor } from "../verdicts.ts";

/** A mail whose label is known, and what the built-in model thinks of it. */
export interface Case {
  readonly view: MailView;
  readonly spam: boolean;
  /** What a model is shown of it, by which a scripted one knows it again. */
  readonly block: string;
  readonly opinion: FirstOpinion;
}

/** The built-in model's opinions; of mails that look the same to a model the first counts. */
export function casesOf(mails: readonly { readonly view: MailView; readonly spam: boolean }[]): Case[] {
  const classifier = shippedClassifier();
  const cases = new Map<string, Case>();
  for (const { view, spam } of mails) {
    const prompt = promptFor(view).user.reveal();
    const block = itemBlock(prompt);
    if (!cases.has(block)) cases.set(block, { view, spam, block, opinion: opinionOf(classifier, prompt) });
  }
  return [...cases.values()];
}
