import { seededRandom } from "../../infra/standins/seeded-random.ts";

/** A 95 % interval, both ends 0 to 1. */
export type Interval = readonly [low: number, high: number];

/** Wilson's score interval of a share (Wilson 1927), 95 %. `null` when nothing was tried. */
export function wilson(hits: number, tries: number): Interval | null {
  if (tries === 0) return null;
  const z = 1.959964;
  const share = hits / tries;
  const centre = share + (z * z) / (2 * tries);
  const spread = z * Math.sqrt((share * (1 - share)) / tries + (z * z) / (4 * tries * tries));
  const scale = 1 + (z * z) / tries;
  return [Math.max(0, (centre - spread) / scale), Math.min(1, (centre + spread) / scale)];
}

/**
 * Percentile bootstrap of a statistic, 95 %, over whole groups: near-duplicates are one observation, not many.
 *
 * @returns `null` when fewer than half of the resamples have the statistic
 */
export function bootstrap<T>(
  groups: readonly (readonly T[])[],
  statistic: (items: readonly T[]) => number | null,
  options: { seed: number; resamples?: number },
): Interval | null {
  const { seed, resamples = 500 } = options;
  const random = seededRandom(seed);
  const values: number[] = [];
  for (let resample = 0; resample < resamples; resample += 1) {
    const drawn = groups.flatMap(() => groups[Math.floor(random() * groups.length)] ?? []);
    const value = statistic(drawn);
    if (value !== null) values.push(value);
  }
  if (values.length < resamples / 2) return null;
  values.sort((one, other) => one - other);
  const at = (share: number): number => values[Math.floor(share * (values.length - 1))] ?? 0;
  return [at(0.025), at(0.975)];
}
