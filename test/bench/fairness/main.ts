import { parseArgs } from "node:util";
import { type Percentiles, percentilesOf, rounded, shown } from "../percentile.ts";
import { onWarmSystem } from "../pipeline/warm-system.ts";
import { type Fairness, measureFairness, type Round } from "./measure.ts";

/** How many times longer a small tenant may wait beside a large one's backlog than alone. */
const goal = 1.5;

const all = (rounds: readonly Round[]) => rounds.flatMap(({ latenciesMs }) => latenciesMs);

function report({ alone, beside, backlogMs }: Fairness, items: number, fewItems: number) {
  const [aloneMs, besideMs] = [percentilesOf(all(alone)), percentilesOf(all(beside))];
  const phase = (duringSyncs: boolean) => beside.filter((round) => round.duringSyncs === duringSyncs);
  const backlog = percentilesOf(backlogMs);
  return {
    items,
    fewItems,
    aloneMs,
    besideMs,
    /** While the large tenant's sources are read, which takes a few seconds, and while its items are judged. */
    duringSyncsMs: percentilesOf(all(phase(true))),
    afterSyncsMs: percentilesOf(all(phase(false))),
    ratio: rounded(besideMs.p95 / aloneMs.p95),
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
  const { items, fewItems, aloneMs, besideMs, duringSyncsMs, afterSyncsMs, ratio, backlog } = figures;
  const line = (title: string, ms: Percentiles) =>
    console.log(`${title.padEnd(22)}${shown(ms)}   ${ms.samples} samples`);
  console.log(`fairness: ${fewItems} items of one person beside ${items} of another, sync to verdict, one machine\n`);
  line("alone", aloneMs);
  line("beside the backlog", besideMs);
  if (duringSyncsMs.samples > 0) line("  while it is queued", duringSyncsMs);
  if (afterSyncsMs.samples > 0) line("  while it is judged", afterSyncsMs);
  console.log(`ratio of p95          ${ratio}×   (goal: at most ${goal}×)`);
  console.log(
    `the backlog itself    ${backlog.judged} judged, ${backlog.itemsPerSecond} items/s, p50 ${backlog.p50} ms, p95 ${backlog.p95} ms`,
  );
}

/**
 * `npm run bench -- fairness [--items N] [--few N] [--rounds N] [--seed N] [--json]`: `--rounds` says how often the small
 * tenant is measured alone; beside the backlog it is as often as that lasts.
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
