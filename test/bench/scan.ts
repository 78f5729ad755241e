import "../built-threads.ts";
import { spawnSync } from "node:child_process";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startScan } from "../../device/folders/scanner/start-scan.ts";
import { openDeviceStore } from "../../device/store/open.ts";
import { systemTimeAndIds } from "../../device/time-and-ids.ts";
import { setup as buildProgram } from "../built-program.ts";
import { compare, type Measured } from "./files/compare.ts";
import { generateTree } from "./files/generated-tree.ts";

/** A file written later than this before a scan is read again by the next one (racily clean). */
const settleMs = 2_500;
const goalRatio = 1.6;

/**
 * `npm run bench -- scan [--files 50000] [--repeat 7] [--seed 1]`: the rescan of a folder in which nothing, and one in which a
 * single file, has changed, beside `git status` on the same tree, in one run; and the first scan, which reads everything.
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
    },
  });
  const root = mkdtempSync(join(tmpdir(), "bench-scan-"));
  const dataFolder = mkdtempSync(join(tmpdir(), "bench-scan-data-"));
  const store = openDeviceStore({ ...systemTimeAndIds, dataFolder });
  try {
    const { bytes } = generateTree(root, Number(values.files), Number(values.seed));
    console.log(`${values.files} files, ${(bytes / 1e6).toFixed(0)} MB, seed ${values.seed}`);
    await sleep(settleMs);
    const { id: projectId } = store.projects.add("bench");
    store.projects.link(projectId, root);
    const scan = async () => {
      const started = await startScan({ ...systemTimeAndIds, store, projectId });
      started.finish({ status: "completed" });
      return started.result;
    };
    const firstMs = performance.now();
    const firstCpu = process.cpuUsage();
    const first = await scan();
    const tookMs = performance.now() - firstMs;
    const { user, system } = process.cpuUsage(firstCpu);
    const speeds = [tookMs, (user + system) / 1e3].map((ms) => ((bytes / ms) * 1e-3).toFixed(1));
    console.log(
      `first scan: ${tookMs.toFixed(0)} ms, ${speeds[0]} MB/s, ${speeds[1]} MB a second of CPU, ${first.newFiles.length} files`,
    );
    store.transaction(() => {
      for (const { relPath, contentHash, kind } of first.toSummarize) {
        const made = { kind, summary: "A line about the file and what it is for.", tag: null, promptVersion: "bench" };
        store.folderFiles.setSummary(projectId, relPath, contentHash, made);
      }
    });
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
    store.close();
    for (const path of [root, `${root}.git`, dataFolder]) rmSync(path, { recursive: true, force: true });
  }
}

function gitStatus(root: string): number {
  const { status, stdout } = spawnSync("git", ["-C", root, "status", "--porcelain"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`git status ended with ${status}`);
  return stdout.split("\n").length - 1;
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
