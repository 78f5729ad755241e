/** Weights by feature name: above zero speaks for attention. */
export type Weights = ReadonlyMap<string, number>;

/** A decision as it is learned from. */
export interface Lesson {
  readonly features: readonly string[];
  readonly isApproved: boolean;
}

/** How far one decision moves a weight, and how fast what was learned fades: found on no data, and small on purpose. */
const rate = 0.4;
const fading = 0.001;

/**
 * Logistic regression, one decision at a time in their order. It is worked out of the decisions whenever it is needed, so
 * that a decision that is undone has taught nothing, and nothing else has to be kept.
 */
export function learned(lessons: Iterable<Lesson>): Weights {
  const weights = new Map<string, number>();
  let bias = 0;
  for (const { features, isApproved } of lessons) {
    const error = (isApproved ? 1 : 0) - squashed(bias + sumOf(weights, features));
    bias += rate * error;
    for (const feature of features) {
      const weight = weights.get(feature) ?? 0;
      weights.set(feature, weight + rate * (error / Math.sqrt(features.length) - fading * weight));
    }
  }
  return weights;
}

/** What the weights say of these features; zero where they know none of them. */
export const sumOf = (weights: Weights, features: readonly string[]): number =>
  features.reduce((sum, feature) => sum + (weights.get(feature) ?? 0), 0);

const squashed = (x: number): number => 1 / (1 + Math.exp(-x));
