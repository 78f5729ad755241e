import "../built-threads.ts";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { indexScan } from "../../device/folders/indexer/index-scan.ts";
import { openPreparer } from "../../device/folders/indexer/prepare.ts";
import type { StartedScan } from "../../device/folders/scanner/start-scan.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { setup as buildProgram } from "../built-program.ts";
import { compare, type Measured } from "./files/compare.ts";
import { generateTree } from "./files/generated-tree.ts";
import { gitStatus } from "./files/tools.ts";
import { type LinkedFolder, linkFolder } from "./scanned-folder.ts";

const goalRatio = 1.6;

/**
 * `npm run bench -- scan [--files 50000] [--repeat 7] [--seed 1] [--index]`: the rescan of a folder in which nothing, and one in which a
 * single file, has changed, beside `git status` on the same tree, in one run; and the first scan, which reads everything, with
 * `--index` also for the search index.
 * Threads run what they run in use, the build.
 */
export async function run(args: string[]): Promise<number> {
  buildProgram();
  const { values } = parseArgs({
    args,
    options: {
      files: { type: "string", default: "50000" },
      repeat: { type: "string", default: "7" },
      seed: { type: "string", default: "1" },
      index: { type: "boolean", default: false },
    },
  });
  const root = mkdtempSync(join(tmpdir(), "bench-scan-"));
  let folder: LinkedFolder | undefined;
  try {
    const { bytes } = generateTree(root, Number(values.files), Number(values.seed));
    console.log(`${values.files} files, ${(bytes / 1e6).toFixed(0)} MB, seed ${values.seed}`);
    folder = await linkFolder(root);
    const { store, scan } = folder;
    const speed = speedSince();
    const started = await folder.begin();
    const first = started.result;
    console.log(`first scan: ${speed(bytes)}, ${first.newFiles.length} files`);
    if (values.index) await readForIndex(started, store);
    started.finish({ status: "completed" });
    if (values.index) console.log(`first scan and index: ${speed(bytes)}`);
    folder.summarize(first);
    const changed = join(root, first.newFiles[Math.floor(first.newFiles.length / 2)] ?? "");
    const afterOneChange = <T>(look: () => T): T => {
      appendFileSync(changed, "\n");
      return look();
    };
    console.log(`load before: ${loadavg()[0]?.toFixed(1)}; median of ${values.repeat} rounds, contenders in turn\n`);
    const measured = await compare(
      [
        { name: "git status", run: () => gitStatus(root) },
        { name: "rescan, nothing changed", run: async () => (await scan()).unchanged },
      ],
      Number(values.repeat),
    );
    const afterChange = await compare(
      [
        { name: "git status, one changed", run: () => afterOneChange(() => gitStatus(root)) },
        { name: "rescan, one changed", run: () => afterOneChange(async () => (await scan()).changedFiles.length) },
      ],
      Number(values.repeat),
    );
    return Math.max(print(measured, first.totalFiles), print(afterChange, 1));
  } finally {
    folder?.close();
    for (const path of [root, `${root}.git`]) rmSync(path, { recursive: true, force: true });
  }
}

async function readForIndex(scan: StartedScan, store: DeviceStore): Promise<void> {
  const preparer = openPreparer(scan.files, systemTimeAndIds.now);
  const { index } = await indexScan({ store, scan, preparer, onProgress: () => undefined });
  await preparer.close();
  if (index?.problem !== undefined) throw index.problem;
}

/** What was done with so many bytes from now on, in words. */
function speedSince(): (bytes: number) => string {
  const fromMs = performance.now();
  const fromCpu = process.cpuUsage();
  return (bytes) => {
    const tookMs = performance.now() - fromMs;
    const { user, system } = process.cpuUsage(fromCpu);
    const [wall, cpu] = [tookMs, (user + system) / 1e3].map((ms) => ((bytes / ms) * 1e-3).toFixed(1));
    return `${tookMs.toFixed(0)} ms, ${wall} MB/s, ${cpu} MB a second of CPU`;
  };
}

/** @param found what the scan has to find */
function print([git, rescan]: readonly Measured[], found: number): number {
  if (git === undefined || rescan === undefined) throw new Error("nothing was measured");
  for (const { name, medianMs, minMs, maxMs, medianCpuMs } of [git, rescan]) {
    const range = `${minMs.toFixed(0)}–${maxMs.toFixed(0)}`;
    console.log(
      `  ${name.padEnd(28)}${medianMs.toFixed(0).padStart(6)} ms ${range.padStart(12)}  CPU ${medianCpuMs.toFixed(0)} ms`,
    );
  }
  console.log(`  × ${(rescan.medianCpuMs / git.medianCpuMs).toFixed(2)} of git status in processor time`);
  const ratio = rescan.medianMs / git.medianMs;
  console.log(
    `  × ${ratio.toFixed(2)} of git status (goal ${goalRatio}: ${ratio <= goalRatio ? "reached" : "not reached"})\n`,
  );
  return rescan.result === found ? 0 : 1;
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
