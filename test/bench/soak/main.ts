import { parseArgs } from "node:util";
import { rounded } from "../percentile.ts";
import { onWarmSystem } from "../pipeline/warm-system.ts";
import { type Soak, soak } from "./flow.ts";
import { MemoryWatch, type Sample } from "./memory.ts";
import { floors, slopeOf } from "./slope.ts";

/** What comes before is warm-up: caches fill, code is compiled. */
const warmUpShare = 1 / 3;
const windows = 20;
/** Mail in an hour at one a second. */
const itemsAnHour = 3600;
const megabyte = 1024 * 1024;

const measures = [
  ["rss", "resident set of the process"],
  ["mainHeap", "heap of the main thread"],
  ["threadHeaps", "heaps of the functions"],
] as const;
type Measure = (typeof measures)[number][0];

function growth(samples: readonly Sample[], measure: Measure) {
  const points = samples.map((sample) => ({ x: sample.items / 1000, y: sample[measure] / megabyte }));
  const low = floors(points, windows);
  const { slope, error } = slopeOf(low);
  return {
    firstMb: rounded(low[0]?.y ?? Number.NaN, 1),
    lastMb: rounded(low.at(-1)?.y ?? Number.NaN, 1),
    mbPerThousand: rounded(slope),
    standardError: rounded(error),
    /** Nothing where the slope is not above zero by twice its error: a line through noise says nothing of an hour. */
    mbPerHour: slope > 2 * error ? rounded((slope * itemsAnHour) / 1000, 1) : null,
  };
}

function report({ samples, items, ms, heldBack }: Soak) {
  const settled = samples.slice(Math.floor(samples.length * warmUpShare));
  return {
    items,
    minutes: rounded(ms / 60_000, 1),
    heldBackSeconds: heldBack,
    itemsInSlope: (settled.at(-1)?.items ?? 0) - (settled[0]?.items ?? 0),
    threads: settled.at(-1)?.threads ?? 0,
    growth: Object.fromEntries(measures.map(([measure]) => [measure, growth(settled, measure)])),
  };
}

function print(figures: ReturnType<typeof report>): void {
  console.log(
    `soak: ${figures.items} messages in ${figures.minutes} minutes, held back for ${figures.heldBackSeconds} s, one machine`,
  );
  console.log(`slopes over the last ${figures.itemsInSlope} messages, lowest of each of ${windows} windows\n`);
  console.log("                              first      last     MB per 1,000 items     MB per hour at 1 mail/s");
  for (const [measure, name] of measures) {
    const of = figures.growth[measure];
    if (!of) continue;
    const [first, last] = [of.firstMb, of.lastMb].map((mb) => `${mb} MB`.padStart(10));
    const slope = `${of.mbPerThousand} ± ${of.standardError}`.padStart(18);
    console.log(`${name.padEnd(28)}${first}${last}${slope}${String(of.mbPerHour ?? "no growth seen").padStart(20)}`);
  }
  console.log(`\n${figures.threads} threads of functions; stand-ins and the device are in the same process`);
}

/** `npm run bench -- soak [--minutes N] [--rate MAILS_A_SECOND] [--seed N] [--json]` */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      minutes: { type: "string", default: "3" },
      rate: { type: "string", default: "10" },
      seed: { type: "string", default: "1" },
      json: { type: "boolean", default: false },
    },
  });
  const flow = { minutes: Number(values.minutes), mailsPerSecond: Number(values.rate) };
  const memory = new MemoryWatch();
  try {
    const soaked = await onWarmSystem(Number(values.seed), (system, _tap, mail) => soak(system, mail, memory, flow));
    const figures = report(soaked);
    if (values.json) console.log(JSON.stringify(figures));
    else print(figures);
    return 0;
  } finally {
    memory.close();
  }
}
