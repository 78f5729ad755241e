import { isUnsure, mostWhenUnsure } from "./doubt.ts";
import { type Features, mailFeaturesOf } from "./features.ts";
import type { KindWeights } from "./kinds/kind-of.ts";
import { calibratedOdds, type LinearModel, sigmoid } from "./linear-model.ts";
import { decodeModel } from "./model-file.ts";
import { purposeOdds } from "./purpose.ts";
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
  readonly kinds: KindWeights;
  /** @param purpose what its scout is for, in the person's words */
  classify(view: MailView, purpose?: string): Classification;
}

/** A header that names a sender without an address was written by hand: mail programs put one. */
const namedWithoutAddress = 1.5;

/**
 * What its header says for a mail, as log-odds of spam. Set by hand and never trained: in collections a list's header gives
 * the source away. Forgers copy such lines too (one in four of phishing_pot's mails has one), so they weigh little.
 */
function headerOdds({ header, sender }: MailView): number {
  if (header !== undefined && sender !== "" && !sender.includes("@")) return namedWithoutAddress;
  if (header?.addressed === "list" || header?.isAutomatic) return -1.5;
  return header?.addressed === "many" || header?.hasListId ? -0.7 : 0;
}

/** A classifier of the weights in a model file (`model-file.ts`). Throws when it is no such file. */
export function classifierOf(file: unknown): Classifier {
  const { model, calibration, kinds, name } = decodeModel(file);
  return {
    name,
    model,
    kinds,
    classify(view, purpose = "") {
      const features = mailFeaturesOf(view);
      const odds = calibratedOdds(model, calibration, view, features) + headerOdds(view) + purposeOdds(purpose, view);
      const probability = sigmoid(odds);
      const unsure = probability > mostWhenUnsure && isUnsure(view, model, features);
      return { spamProbability: unsure ? mostWhenUnsure : probability, unsure, features };
    },
  };
}
