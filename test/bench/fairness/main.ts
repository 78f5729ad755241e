import { parseArgs } from "node:util";
import { percentilesOf, rounded, shown } from "../percentile.ts";
import { onWarmSystem } from "../pipeline/warm-system.ts";
import { type Fairness, measureFairness, type Round } from "./measure.ts";

/** How many times longer a small tenant may wait beside a large one's backlog than alone. */
const goal = 3;

const all = (rounds: readonly Round[]) => rounds.flatMap(({ latenciesMs }) => latenciesMs);

function report({ alone, beside, backlogMs }: Fairness, items: number, fewItems: number) {
  const [aloneMs, besideMs] = [percentilesOf(all(alone)), percentilesOf(all(beside))];
  const laterMs = percentilesOf(all(beside.slice(1)));
  const backlog = percentilesOf(backlogMs);
  return {
    items,
    fewItems,
    aloneMs,
    besideMs,
    rounds: beside.map(({ waiting, latenciesMs }) => ({ waiting, p95: percentilesOf(latenciesMs).p95 })),
    ratio: rounded(besideMs.p95 / aloneMs.p95),
    /** Without the first round, which meets the large tenant's syncs on the two sync workers. */
    ratioAfterFirst: rounded(laterMs.p95 / aloneMs.p95),
    goal,
    backlog: {
      judged: backlogMs.length,
      p50: backlog.p50,
      p95: backlog.p95,
      itemsPerSecond: rounded((backlogMs.length * 1000) / Math.max(...backlogMs.slice(-1)), 1),
    },
  };
}

function print(figures: ReturnType<typeof report>): void {
  const { items, fewItems, aloneMs, besideMs, rounds, ratio, ratioAfterFirst, backlog } = figures;
  console.log(`fairness: ${fewItems} items of one person beside ${items} of another, sync to verdict, one machine\n`);
  console.log(`alone                 ${shown(aloneMs)}   ${aloneMs.samples} samples`);
  console.log(`beside the backlog    ${shown(besideMs)}   ${besideMs.samples} samples`);
  for (const { waiting, p95 } of rounds) console.log(`  ${String(waiting).padStart(6)} waiting      p95 ${p95} ms`);
  console.log(
    `ratio of p95          ${ratio}×   (goal: at most ${goal}×); ${ratioAfterFirst}× without the first round`,
  );
  console.log(
    `the backlog itself    ${backlog.judged} judged, ${backlog.itemsPerSecond} items/s, p50 ${backlog.p50} ms, p95 ${backlog.p95} ms`,
  );
}

/**
 * `npm run bench -- fairness [--items N] [--few N] [--rounds N] [--seed N] [--json]`
 *
 * @returns 1 when some item got no verdict
 */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      items: { type: "string", default: "2000" },
      few: { type: "string", default: "10" },
      rounds: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
    },
  });
  const [items, fewItems] = [Number(values.items), Number(values.few)];
  const fairness = await onWarmSystem(
    Number(values.seed),
    (system) => measureFairness(system, { items, fewItems, rounds: Number(values.rounds) }),
    { FEED_ADDRESSES: "any" },
  );
  const figures = report(fairness, items, fewItems);
  if (values.json) console.log(JSON.stringify(figures));
  else print(figures);
  return fairness.backlogMs.length === items ? 0 : 1;
}
