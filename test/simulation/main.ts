import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import * as z from "zod";
import { createProgress } from "../../cli/output/progress.ts";
import { faultKinds } from "./faults.ts";
import { type PartName, type PartReport, partNames, runPart } from "./parts.ts";

const usage = `npm run sim -- [--seeds N] [--from S] [--jobs J] [--part P] [--minutes M]   runs N seeds from S on, on J threads
npm run sim -- --seed S [--part P] [--trace]                              runs one seed, with --trace step by step

A seed runs every part of the system: mail (scouts and delivery), folders, runs (of agents; proposals that are read), work (rounds of
decisions on several devices); --part picks one.
Ctrl-C ends it after the seeds under way, and says how to go on. So do M minutes from the end of the first part on, where M is given:
then as a success.`;

/** Worker threads take the next seed from `counter` until they have reached `until`. */
const share = z.object({
  counter: z.instanceof(Int32Array<SharedArrayBuffer>),
  until: z.number(),
  parts: z.array(z.enum(partNames)),
});
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
  minutes: z.coerce.number().positive().max(100_000).optional(),
  trace: z.boolean().default(false),
  part: z.enum(partNames).optional(),
});

/** Failed seeds whose violations are printed. */
const maxShown = 10;
/** What a shell reports of a program that ended by SIGINT. */
const interruptedCode = 130;

if (isMainThread) process.exitCode = await main();
else await runShare();

async function runShare(): Promise<void> {
  const { counter, until, parts } = share.parse(workerData);
  for (let seed = Atomics.add(counter, 0, 1); seed < until; seed = Atomics.add(counter, 0, 1)) {
    for (const part of parts) parentPort?.postMessage(await runPart(part, seed));
  }
}

async function main(): Promise<number> {
  const given = options.safeParse(arguments_());
  if (!given.success) {
    console.error(usage);
    return 2;
  }
  const { seed, trace, seeds, from, jobs, part, minutes } = given.data;
  const parts: readonly PartName[] = part === undefined ? partNames : [part];
  const startedAt = performance.now();
  const reports: PartReport[] = [];
  if (seed !== undefined) {
    const options = trace ? { onTrace: (line: string) => console.log(line) } : {};
    for (const each of parts) reports.push(await runPart(each, seed, options));
    return summarise(reports, performance.now() - startedAt);
  }
  const until = from + seeds;
  const counter = new Int32Array(new SharedArrayBuffer(4)).fill(from);
  let stoppedAt = until;
  let interrupted = false;
  const beginNoMore = () => {
    stoppedAt = Math.min(stoppedAt, Atomics.exchange(counter, 0, until));
  };
  process.once("SIGINT", () => {
    interrupted = true;
    beginNoMore();
  });
  // From the first report on: on a machine that is busy loading takes a minute by itself, and no seed would be shown to hold.
  let limit: NodeJS.Timeout | undefined;
  const startTheTime = () => {
    if (minutes !== undefined) limit ??= setTimeout(beginNoMore, minutes * 60_000);
  };
  const progress = createProgress({
    now: () => performance.now(),
    stream: process.stderr,
    isTTY: process.stderr.isTTY,
    color: process.stderr.isTTY,
    label: "Seeds",
    lineEveryMs: 30_000,
  });
  const work = () => {
    const workerData: z.infer<typeof share> = { counter, until, parts: [...parts] };
    return new Promise<void>((resolve, reject) => {
      new Worker(new URL(import.meta.url), { workerData })
        .on("message", (report: PartReport) => {
          startTheTime();
          reports.push(report);
          for (const line of violationsOf(report)) progress.log(line);
          progress.update({ done: Math.floor(reports.length / parts.length), total: seeds });
        })
        .on("error", reject)
        .on("exit", () => resolve());
    });
  };
  await Promise.all(Array.from({ length: jobs }, work));
  clearTimeout(limit);
  progress.finish();
  const code = summarise(reports, performance.now() - startedAt);
  if (stoppedAt === until) return code;
  const only = part === undefined ? "" : ` --part ${part}`;
  const why = interrupted ? "interrupted" : `${minutes} minutes are over`;
  console.log(`${why}; to go on: npm run sim -- --from ${stoppedAt} --seeds ${until - stoppedAt}${only}`);
  return code || (interrupted ? interruptedCode : 0);
}

function arguments_(): unknown {
  const text = { type: "string" } as const;
  try {
    return parseArgs({
      options: {
        seeds: text,
        from: text,
        jobs: text,
        seed: text,
        part: text,
        minutes: text,
        trace: { type: "boolean" },
      },
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
    const { [part]: things } = { mail: "mails", folders: "files", runs: "runs", work: "proposals" };
    const counts = `${sum(own, ({ items }) => items)} ${things}, ${sum(own, ({ steps }) => steps)} steps`;
    console.log(`${part}: ${counts}, ${virtualHours.toFixed(0)} virtual hours`);
  }
  const injected = faultKinds.map((kind) => `${kind} ${sum(reports, (report) => report.injected.get(kind) ?? 0)}`);
  console.log(`faults: ${injected.join(", ")}`);
  const failed = reports.filter(({ violations }) => violations.length > 0).sort((a, b) => a.seed - b.seed);
  for (const line of failed.slice(0, maxShown).flatMap(violationsOf)) console.log(line);
  console.log(`violations: ${failed.length} in ${reports.length} runs of ${seeds} seeds`);
  if (failed[0]) console.log(`step by step: npm run sim -- --seed ${failed[0].seed} --part ${failed[0].part} --trace`);
  return failed.length > 0 ? 1 : 0;
}

function violationsOf({ seed, part, violations }: PartReport): string[] {
  return violations.slice(0, 3).map(({ rule, detail }) => `seed ${seed}, ${part}: ${rule}: ${detail}`);
}

function sum(reports: readonly PartReport[], count: (report: PartReport) => number): number {
  return reports.reduce((total, report) => total + count(report), 0);
}
