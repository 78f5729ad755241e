import type { CorpusMail } from "./corpus.ts";
import type { Decision } from "./measure.ts";
import { costOf, type Price } from "./price.ts";
import type { Judgement } from "./verdicts.ts";

/** A mail whose text is cut after so many characters, besides the pipeline's own cut. */
export function firstOf(view: CorpusMail["view"], chars: number): CorpusMail["view"] {
  return { ...view, body: view.body.slice(0, chars) };
}

export function decisionOf(mail: CorpusMail, judgement: Judgement | undefined): Decision {
  const { source, cluster, spam } = mail;
  return { source, cluster, spam, saidSpam: judgement?.saidSpam ?? false };
}

/** What asking took. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly tokensPerMail: number;
  readonly failures: Readonly<Record<string, number>>;
  /** In US dollars; null where the model's price is not known. */
  readonly costUsd: number | null;
}

export function usage(judgements: readonly Judgement[], price: Price | undefined): Usage {
  let [inputTokens, outputTokens] = [0, 0];
  const failures: Record<string, number> = {};
  for (const judgement of judgements) {
    inputTokens += judgement.inputTokens;
    outputTokens += judgement.outputTokens;
    if (judgement.failure) failures[judgement.failure] = (failures[judgement.failure] ?? 0) + 1;
  }
  const tokensPerMail = (inputTokens + outputTokens) / Math.max(1, judgements.length);
  return { inputTokens, outputTokens, tokensPerMail, failures, costUsd: costOf(price, inputTokens, outputTokens) };
}

/** Why no answer came, and how often. */
export function failuresOf(use: Usage): string {
  const failures = Object.entries(use.failures).map(([code, count]) => `${code} ${count}`);
  return failures.length === 0 ? "–" : failures.join(", ");
}
