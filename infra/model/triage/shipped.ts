import { type Classifier, classifierOf } from "./classifier.ts";
import weights from "./weights.json" with { type: "json" };

/**
 * The classifier of the committed weights. They are imported and not read from a file, so that a bundle of a function has
 * them in it.
 */
export const shippedClassifier = (): Classifier => classifierOf(weights);
