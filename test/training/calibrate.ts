import { type Calibration, sigmoid } from "../../infra/model/triage/linear-model.ts";

/**
 * Fits {@link Calibration} to scores of mail the model had not seen, by Newton's method on the log-loss, for a mailbox
 * in which `spamShare` of the mail is spam.
 *
 * @param scored at least one spam and one ham
 */
export function calibrate(scored: readonly { score: number; spam: boolean }[], spamShare: number): Calibration {
  const spamCount = scored.filter(({ spam }) => spam).length;
  const spamWeight = (spamShare * scored.length) / spamCount;
  const hamWeight = ((1 - spamShare) * scored.length) / (scored.length - spamCount);
  let slope = 1;
  let offset = 0;
  for (let step = 0; step < 50; step += 1) {
    let [gradientSlope, gradientOffset, curveSlope, curveCross, curveOffset] = [0, 0, 1e-9, 0, 1e-9];
    for (const { score: value, spam } of scored) {
      const weight = spam ? spamWeight : hamWeight;
      const probability = sigmoid(slope * value + offset);
      const error = weight * (probability - (spam ? 1 : 0));
      const curve = weight * probability * (1 - probability);
      gradientSlope += error * value;
      gradientOffset += error;
      curveSlope += curve * value * value;
      curveCross += curve * value;
      curveOffset += curve;
    }
    const determinant = curveSlope * curveOffset - curveCross * curveCross;
    const slopeStep = (gradientSlope * curveOffset - gradientOffset * curveCross) / determinant;
    const offsetStep = (gradientOffset * curveSlope - gradientSlope * curveCross) / determinant;
    slope -= slopeStep;
    offset -= offsetStep;
    if (Math.abs(slopeStep) + Math.abs(offsetStep) < 1e-9) break;
  }
  return { slope, offset };
}
