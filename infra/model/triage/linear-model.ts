import type { Features } from "./features.ts";
import { masqueradeOdds } from "./masquerade.ts";

/** A linear model over {@link Features}: log-odds of spam are the intercept plus weight times value. */
export interface LinearModel {
  readonly intercept: number;
  readonly signals: ReadonlyMap<string, number>;
  readonly vocabulary: ReadonlyMap<number, number>;
}

/** Log-odds of spam, uncalibrated. Features the model does not know count nothing. */
export function score(model: LinearModel, features: Features): number {
  let sum = model.intercept;
  for (const [name, value] of features.signals) sum += (model.signals.get(name) ?? 0) * value;
  const { keys, values } = features.vocabulary;
  for (let index = 0; index < keys.length; index += 1) {
    sum += (model.vocabulary.get(keys[index] ?? 0) ?? 0) * (values[index] ?? 0);
  }
  return sum;
}

/** Probability of log-odds. */
export function sigmoid(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** Platt scaling: calibrated log-odds are `slope * score + offset`. */
export interface Calibration {
  readonly slope: number;
  readonly offset: number;
}

/** Log-odds of spam by both judges, uncalibrated: what was trained, and how much a mail hides who it is from. */
export function rawOdds(model: LinearModel, features: Features): number {
  return score(model, features) + masqueradeOdds(features.signals);
}

/** Calibrated log-odds of spam. */
export function calibratedOdds(model: LinearModel, { slope, offset }: Calibration, features: Features): number {
  return slope * rawOdds(model, features) + offset;
}
