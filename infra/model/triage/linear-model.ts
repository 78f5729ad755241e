import type { Features, MailFeatures } from "./features.ts";
import { type KindWords, wordOdds } from "./kinds/kind-words.ts";
import { masqueradeOdds } from "./masquerade.ts";
import { namedOdds, senderOdds } from "./signals/evidence.ts";
import { formOdds } from "./signals/form-odds.ts";
import type { MailView } from "./view.ts";

/**
 * Two opinions over {@link Features} in log-odds of spam: what can be named, an intercept plus weight times value, and what the words
 * say by themselves.
 */
export interface LinearModel {
  readonly intercept: number;
  readonly signals: ReadonlyMap<string, number>;
  readonly words: KindWords;
  /** What words were rated beforehand, by whoever saw no mail: it tells kinds and names grounds, and moves no odds of spam. */
  readonly ratings: KindWords;
}

/** The most unnamed words speak for a mail; in what it was learned from they spoke for whole collections. */
const mostForMail = 4;
/** The most they speak against it, as a share of what can be named, and in any case. */
const shareOfNamed = 2;
const leastAgainstMail = 1;
const mostAgainstMail = 4;
/** What somebody says who hides who they are counts by so much for them: a borrowed letter is a letter. */
const trustInMasked = 0.5;

/** Probability of log-odds. */
export function sigmoid(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** Platt scaling: calibrated log-odds are `slope * score + offset`. */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

/**
 * Log-odds of spam, uncalibrated; features the model does not know count nothing. Unnamed words only strengthen what can be
 * named: alone they hide no mail.
 */
export function rawOdds(model: LinearModel, features: Features): number {
  const { wanted, rest, accusing, masquerade } = namedOdds(model.signals, features.signals);
  const mostAgainst = Math.min(mostAgainstMail, Math.max(leastAgainstMail, shareOfNamed * accusing));
  const words = Math.max(-mostForMail, Math.min(mostAgainst, wordOdds(model.words, features.vocabulary)));
  return model.intercept + rest + masquerade + wanted * (masquerade > 0 ? trustInMasked : 1) + words;
}

/** How a mail begins counts so much beside the whole of it, of which it is a part. */
const shareOfBeginning = 0.4;

/** Uncalibrated log-odds of spam of a mail: of the whole of it, and of how it begins. */
export function mailOdds(model: LinearModel, features: MailFeatures): number {
  const whole = rawOdds(model, features);
  return whole + shareOfBeginning * (rawOdds(model, features.beginning) - whole);
}

/** Calibrated log-odds of spam by what a mail says and by its form. */
export function calibratedOdds(
  model: LinearModel,
  { slope, offset }: Calibration,
  view: MailView,
  features: MailFeatures,
): number {
  const { wanted, accusing } = formOdds(view);
  const trust = masqueradeOdds(features.signals) > 0 ? trustInMasked : 1;
  // A forged address says nothing for whoever wrote it in.
  const forged = view.traits?.includes("failed_check") ? senderOdds(model.signals, features.signals) : 0;
  return slope * (mailOdds(model, features) - forged) + offset + accusing + wanted * trust;
}
