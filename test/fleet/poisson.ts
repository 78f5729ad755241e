import type { SeededRandom } from "../simulation/random.ts";

/** Above this mean a normal distribution stands in: its error is below a part in a thousand there. */
const large = 40;

/** How many of what comes by chance come, `mean` of them expected. */
export function poisson(random: SeededRandom, mean: number): number {
  if (mean <= 0) return 0;
  if (mean > large) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  // Knuth: as many factors as it takes to fall below e^-mean.
  const floor = Math.exp(-mean);
  let count = 0;
  for (let product = random.next(); product > floor; product *= random.next()) count += 1;
  return count;
}

/** How many of `count` are of a kind that each is with this probability. */
export function binomial(random: SeededRandom, count: number, probability: number): number {
  if (count * probability > large && count * (1 - probability) > large) {
    const deviation = Math.sqrt(count * probability * (1 - probability));
    return Math.min(count, Math.max(0, Math.round(count * probability + deviation * normal(random))));
  }
  if (probability <= 0) return 0;
  if (count > large * 10) return Math.min(count, poisson(random, count * probability));
  let hits = 0;
  for (let each = 0; each < count; each += 1) if (random.chance(probability)) hits += 1;
  return hits;
}

/** Marsaglia's polar method, one of the two values it yields. */
export function normal(random: SeededRandom): number {
  for (;;) {
    const x = 2 * random.next() - 1;
    const y = 2 * random.next() - 1;
    const square = x * x + y * y;
    if (square > 0 && square < 1) return x * Math.sqrt((-2 * Math.log(square)) / square);
  }
}
