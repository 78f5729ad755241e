import { type Calibration, sigmoid } from "../../infra/model/triage/linear-model.ts";

const mostOfGroup = 300;

/**
 * Fits {@link Calibration} to scores of mail the model had not seen, by Newton's method on the log-loss, for a mailbox
 * in which `spamShare` of the mail is spam.
 *
 * @param scored at least one spam and one ham; of a group (a source) spam and ham count as {@link mostOfGroup} at most
 */
export function calibrate(
  scored: readonly { score: number; spam: boolean; group?: string }[],
  spamShare: number,
): Calibration {
  const groupOf = ({ spam, group = "" }: { spam: boolean; group?: string }): string => `${spam} ${group}`;
  const sizes = new Map([...Map.groupBy(scored, groupOf)].map(([name, { length }]) => [name, length] as const));
  const shareOf = (each: { spam: boolean; group?: string }): number =>
    Math.min(1, mostOfGroup / (sizes.get(groupOf(each)) ?? 1));
  const total = (spam: boolean): number =>
    scored.reduce((sum, each) => sum + (each.spam === spam ? shareOf(each) : 0), 0);
  const spamWeight = (spamShare * scored.length) / total(true);
  const hamWeight = ((1 - spamShare) * scored.length) / total(false);
  const lossAt = (slope: number, offset: number): number =>
    scored.reduce((sum, each) => {
      const odds = slope * each.score + offset;
      const weight = shareOf(each) * (each.spam ? spamWeight : hamWeight);
      return sum + weight * (Math.max(odds, 0) + Math.log1p(Math.exp(-Math.abs(odds))) - (each.spam ? odds : 0));
    }, 0);
  let slope = 1;
  let offset = 0;
  let loss = lossAt(slope, offset);
  for (let step = 0; step < 50; step += 1) {
    let [gradientSlope, gradientOffset, curveSlope, curveCross, curveOffset] = [0, 0, 1e-9, 0, 1e-9];
    for (const each of scored) {
      const { score: value, spam } = each;
      const weight = shareOf(each) * (spam ? spamWeight : hamWeight);
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
    // A whole step may go too far where the curve is flat, and never come back.
    let length = 1;
    let next = lossAt(slope - slopeStep, offset - offsetStep);
    while (!(next <= loss) && length > 1e-6) {
      length /= 2;
      next = lossAt(slope - length * slopeStep, offset - length * offsetStep);
    }
    if (!(next <= loss)) break;
    slope -= length * slopeStep;
    offset -= length * offsetStep;
    loss = next;
    if (Math.abs(slopeStep) + Math.abs(offsetStep) < 1e-9) break;
  }
  return { slope, offset };
}
