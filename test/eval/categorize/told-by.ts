import type { CategorizeCase } from "../../categorize/case.ts";
import { type Answering, categorizeWith } from "./agent.ts";
import type { Told } from "./by-category.ts";

/** What a model, its answers held against the items, takes each case for; so many are asked at a time. */
export async function toldBy(
  cases: readonly CategorizeCase[],
  answering: Answering,
  concurrency: number,
): Promise<Told[]> {
  const categorize = categorizeWith(answering);
  const told: Told[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < cases.length; at = next++) {
      const each = cases[at];
      if (each === undefined) return;
      const { category } = await categorize(each.item, each.known);
      told[at] = { is: each.category, said: category };
    }
  };
  await Promise.all(Array.from({ length: Math.max(1, concurrency) }, work));
  return told;
}
