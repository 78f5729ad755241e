/** Counts of a yes/no decision, "yes" being spam. */
export interface Confusion {
  readonly truePositives: number;
  readonly falsePositives: number;
  readonly falseNegatives: number;
  readonly trueNegatives: number;
}

/** Precision, recall and F1 of spam, 0 to 1; `null` where nothing was said or there was nothing to find. */
export interface Figures {
  readonly mails: number;
  /** Wanted mail called spam. */
  readonly falsePositives: number;
  readonly precision: number | null;
  readonly recall: number | null;
  readonly f1: number | null;
}

/** The probability at which spam counts as spam; below it a mail is relevant (2-scouts, "Verdict contract"). */
export const operatingPoint = 0.8;

/** Counts decisions against labels. */
export function confusionOf(decisions: Iterable<{ readonly spam: boolean; readonly saidSpam: boolean }>): Confusion {
  let [truePositives, falsePositives, falseNegatives, trueNegatives] = [0, 0, 0, 0];
  for (const { spam, saidSpam } of decisions) {
    if (saidSpam) spam ? truePositives++ : falsePositives++;
    else spam ? falseNegatives++ : trueNegatives++;
  }
  return { truePositives, falsePositives, falseNegatives, trueNegatives };
}

/** The figures of counted decisions. */
export function figuresOf({ truePositives, falsePositives, falseNegatives, trueNegatives }: Confusion): Figures {
  const said = truePositives + falsePositives;
  const are = truePositives + falseNegatives;
  return {
    falsePositives,
    mails: said + falseNegatives + trueNegatives,
    precision: said === 0 ? null : truePositives / said,
    recall: are === 0 ? null : truePositives / are,
    f1: are === 0 ? null : (2 * truePositives) / (said + are),
  };
}
