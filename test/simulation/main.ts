import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import * as z from "zod";
import { faultKinds } from "./faults.ts";
import { runSeed, type SeedReport } from "./run.ts";

const usage = `npm run sim -- [--seeds N] [--from S] [--jobs J]   runs N seeds from S on, on J threads
npm run sim -- --seed S [--trace]                  runs one seed, with --trace step by step`;

/** A worker thread takes every `jobs`-th seed. */
const share = z.object({ from: z.number(), until: z.number(), jobs: z.number() });
const whole = z.coerce
  .number()
  .int()
  .min(1)
  .max(2 ** 31);
const options = z.object({
  seeds: whole.default(200),
  from: whole.default(1),
  jobs: whole.max(64).default(2),
  seed: whole.optional(),
  trace: z.boolean().default(false),
});

/** Failed seeds whose violations are printed. */
const maxShown = 10;

if (isMainThread) process.exitCode = await main();
else await runShare();

async function runShare(): Promise<void> {
  const { from, until, jobs } = share.parse(workerData);
  for (let seed = from; seed < until; seed += jobs) parentPort?.postMessage(await runSeed(seed));
}

async function main(): Promise<number> {
  const given = options.safeParse(arguments_());
  if (!given.success) {
    console.error(usage);
    return 2;
  }
  const { seed, trace, seeds, from, jobs } = given.data;
  if (seed !== undefined) {
    const report = await runSeed(seed, trace ? { onTrace: (line) => console.log(line) } : {});
    return summarise([report], report.wallMs);
  }
  const startedAt = performance.now();
  const reports: SeedReport[] = [];
  const worker = (first: number) => {
    const data: z.infer<typeof share> = { from: first, until: from + seeds, jobs };
    return new Promise<void>((resolve, reject) => {
      new Worker(new URL(import.meta.url), { workerData: data })
        .on("message", (report: SeedReport) => reports.push(report))
        .on("error", reject)
        .on("exit", () => resolve());
    });
  };
  await Promise.all(Array.from({ length: jobs }, (_, job) => worker(from + job)));
  return summarise(reports, performance.now() - startedAt);
}

function arguments_(): unknown {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      options: { seeds: text, from: text, jobs: text, seed: text, trace: { type: "boolean" } },
    }).values;
  } catch {
    return undefined;
  }
}

/** Prints what was run and found. @returns the exit code */
function summarise(reports: readonly SeedReport[], tookMs: number): number {
  const sum = (count: (report: SeedReport) => number) => reports.reduce((total, report) => total + count(report), 0);
  const virtualHours = sum(({ virtualMs }) => virtualMs) / 3_600_000;
  console.log(
    `${reports.length} seeds in ${(tookMs / 1000).toFixed(1)} s (${((reports.length * 1000) / tookMs).toFixed(1)} a second): ` +
      `${sum(({ items }) => items)} mails, ${sum(({ steps }) => steps)} steps, ${virtualHours.toFixed(0)} virtual hours`,
  );
  const injected = faultKinds.map((kind) => `${kind} ${sum((report) => report.injected.get(kind) ?? 0)}`);
  console.log(`faults: ${injected.join(", ")}`);
  const failed = reports.filter(({ violations }) => violations.length > 0).sort((a, b) => a.seed - b.seed);
  for (const { seed, violations } of failed.slice(0, maxShown)) {
    for (const { rule, detail } of violations.slice(0, 3)) console.log(`seed ${seed}: ${rule}: ${detail}`);
  }
  console.log(`violations: ${failed.length} of ${reports.length} seeds`);
  if (failed[0]) console.log(`step by step: npm run sim -- --seed ${failed[0].seed} --trace`);
  return failed.length > 0 ? 1 : 0;
}
