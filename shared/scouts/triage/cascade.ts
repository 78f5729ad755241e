import type { ReasonCode, Verdict } from "../../../events/proposals/verdict.ts";
import type { Transient } from "../../privacy/transient.ts";

/** What a judge that costs nothing thinks of an item, before a language model is asked. */
export interface FirstOpinion {
  /** What rows name as the model of its verdicts. */
  readonly model: string;
  readonly verdict: Verdict;
  /** Calibrated, 0 to 1. */
  readonly spamProbability: number;
  /** The item has a sender, a subject, and a language this judge knows. */
  readonly isUnderstood: boolean;
  /** What the words of the scout's purpose say of the item, as log-odds of spam: below 0 it asks for it, above it refuses it. */
  readonly purposeOdds: number;
}

/** Is asked about every item, and decides those it is sure of; see {@link decides}. */
export interface FirstJudge {
  /** @param prompt the request a language model would get: see `triagePrompt` */
  judge(prompt: Transient<string>): Promise<Transient<FirstOpinion>>;
}

/** From which probability of spam on an item is hidden without a language model, and up to which it is shown. */
export interface Sureness {
  readonly hideFrom: number;
  readonly showUpTo: number;
}

/**
 * What a home goes by. To hide wanted mail costs more than to show what nobody wanted, and both are far from the confidence
 * at which a verdict counts at all (`spamThreshold`). Chosen on sources left out of training (decision 0321), so that less wanted
 * mail is hidden than by a model that errs on 3 %: docs/models.md, "A cascade".
 */
export const sureness: Sureness = { hideFrom: 0.995, showUpTo: 0.1 };

/**
 * Kinds of which there is a genuine and a forged one: a sign-in code or an alert that is hidden locks people out, a forged
 * one that is shown as genuine robs them. Words alone do not tell them apart, so the language model judges them.
 */
const hasTwin: ReadonlySet<ReasonCode> = new Set(["phishing", "scam", "malware", "account_or_security"]);

/**
 * Whether an opinion is a verdict already. Not where the judge cannot read the item, where the scout's purpose speaks against
 * what it would decide, or where a forger could have written it.
 */
export function decides(
  { verdict, spamProbability, isUnderstood, purposeOdds }: FirstOpinion,
  { hideFrom, showUpTo }: Sureness = sureness,
): boolean {
  if (!isUnderstood || hasTwin.has(verdict.reasonCode)) return false;
  if (verdict.verdict === "spam") return spamProbability >= hideFrom && purposeOdds >= 0;
  return spamProbability <= showUpTo && purposeOdds <= 0;
}
