import { type Classifier, classifierOf } from "./classifier.ts";
import weights from "./weights.json" with { type: "json" };

let decoded: Classifier | undefined;

/**
 * The classifier of the committed weights, decoded once in a process: it is a megabyte. They are imported and not read from a file,
 * so that a bundle of a function has them in it.
 */
export const shippedClassifier = (): Classifier => (decoded ??= classifierOf(weights));
