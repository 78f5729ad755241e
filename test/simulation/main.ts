import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import * as z from "zod";
import { faultKinds } from "./faults.ts";
import { type PartName, type PartReport, partNames, runPart } from "./parts.ts";

const usage = `npm run sim -- [--seeds N] [--from S] [--jobs J] [--part P]   runs N seeds from S on, on J threads
npm run sim -- --seed S [--part P] [--trace]                  runs one seed, with --trace step by step

A seed runs every part of the system: mail (scouts and delivery), folders, runs (of agents); --part picks one.`;

/** A worker thread takes every `jobs`-th seed. */
const share = z.object({ from: z.number(), until: z.number(), jobs: z.number(), parts: z.array(z.enum(partNames)) });
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
  part: z.enum(partNames).optional(),
});

/** Failed seeds whose violations are printed. */
const maxShown = 10;

if (isMainThread) process.exitCode = await main();
else await runShare();

async function runShare(): Promise<void> {
  const { from, until, jobs, parts } = share.parse(workerData);
  for (let seed = from; seed < until; seed += jobs) {
    for (const part of parts) parentPort?.postMessage(await runPart(part, seed));
  }
}

async function main(): Promise<number> {
  const given = options.safeParse(arguments_());
  if (!given.success) {
    console.error(usage);
    return 2;
  }
  const { seed, trace, seeds, from, jobs, part } = given.data;
  const parts: readonly PartName[] = part === undefined ? partNames : [part];
  const startedAt = performance.now();
  const reports: PartReport[] = [];
  if (seed !== undefined) {
    const options = trace ? { onTrace: (line: string) => console.log(line) } : {};
    for (const each of parts) reports.push(await runPart(each, seed, options));
    return summarise(reports, performance.now() - startedAt);
  }
  const worker = (first: number) => {
    const data: z.infer<typeof share> = { from: first, until: from + seeds, jobs, parts: [...parts] };
    return new Promise<void>((resolve, reject) => {
      new Worker(new URL(import.meta.url), { workerData: data })
        .on("message", (report: PartReport) => reports.push(report))
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
      options: { seeds: text, from: text, jobs: text, seed: text, part: text, trace: { type: "boolean" } },
    }).values;
  } catch {
    return undefined;
  }
}

/** Prints what was run and found. @returns the exit code */
function summarise(reports: readonly PartReport[], tookMs: number): number {
  const seeds = new Set(reports.map(({ seed }) => seed)).size;
  const rate = ((seeds * 1000) / tookMs).toFixed(1);
  console.log(`${seeds} seeds in ${(tookMs / 1000).toFixed(1)} s (${rate} a second)`);
  for (const [part, own] of Map.groupBy(reports, (report) => report.part)) {
    const virtualHours = sum(own, ({ virtualMs }) => virtualMs) / 3_600_000;
    const { [part]: things } = { mail: "mails", folders: "files", runs: "runs" };
    const counts = `${sum(own, ({ items }) => items)} ${things}, ${sum(own, ({ steps }) => steps)} steps`;
    console.log(`${part}: ${counts}, ${virtualHours.toFixed(0)} virtual hours`);
  }
  const injected = faultKinds.map((kind) => `${kind} ${sum(reports, (report) => report.injected.get(kind) ?? 0)}`);
  console.log(`faults: ${injected.join(", ")}`);
  const failed = reports.filter(({ violations }) => violations.length > 0).sort((a, b) => a.seed - b.seed);
  for (const { seed, part, violations } of failed.slice(0, maxShown)) {
    for (const { rule, detail } of violations.slice(0, 3)) console.log(`seed ${seed}, ${part}: ${rule}: ${detail}`);
  }
  console.log(`violations: ${failed.length} in ${reports.length} runs of ${seeds} seeds`);
  if (failed[0]) console.log(`step by step: npm run sim -- --seed ${failed[0].seed} --part ${failed[0].part} --trace`);
  return failed.length > 0 ? 1 : 0;
}

function sum(reports: readonly PartReport[], count: (report: PartReport) => number): number {
  return reports.reduce((total, report) => total + count(report), 0);
}
