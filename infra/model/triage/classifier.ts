import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isUnsure, mostWhenUnsure } from "./doubt.ts";
import { type Features, featuresOf } from "./features.ts";
import { type LinearModel, score, sigmoid } from "./linear-model.ts";
import { decodeModel } from "./model-file.ts";
import type { MailView } from "./view.ts";

/** What the built-in model thinks of a mail. */
export interface Classification {
  /** Calibrated, 0 to 1; at most {@link mostWhenUnsure} where the model has too little to accuse. */
  readonly spamProbability: number;
  readonly unsure: boolean;
  readonly features: Features;
}

/** A loaded classifier. */
export interface Classifier {
  readonly name: string;
  readonly model: LinearModel;
  classify(view: MailView): Classification;
}

/** Reads the committed weights, or another file of the same format. Throws when it is no such file. */
export function loadClassifier(path = join(import.meta.dirname, "weights.json")): Classifier {
  const { model, calibration, name } = decodeModel(JSON.parse(readFileSync(path, "utf8")));
  return {
    name,
    model,
    classify(view) {
      const features = featuresOf(view);
      const odds = calibration.slope * score(model, features) + calibration.offset;
      const probability = sigmoid(odds);
      const unsure = probability > mostWhenUnsure && isUnsure(view, model, features);
      return { spamProbability: unsure ? mostWhenUnsure : probability, unsure, features };
    },
  };
}
