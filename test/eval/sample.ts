import { seededRandom } from "../../infra/standins/seeded-random.ts";

/** At most `limit` items drawn by the seed, in their order. */
export function sample<T>(items: readonly T[], limit: number, seed: number): T[] {
  if (items.length <= limit) return [...items];
  const random = seededRandom(seed);
  const drawn = items.map((_, index) => ({ index, draw: random() })).sort((one, other) => one.draw - other.draw);
  const chosen = new Set(drawn.slice(0, limit).map(({ index }) => index));
  return items.filter((_, index) => chosen.has(index));
}
