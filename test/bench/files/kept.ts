import "../../built-threads.ts";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { FsProjectFiles } from "../../../device/files/backends/fs/fs-project-files.ts";
import { setup as buildProgram } from "../../built-program.ts";
import { type LinkedFolder, linkFolder } from "../scanned-folder.ts";
import { type Contender, compare } from "./compare.ts";
import { generateTree, literal, regexWithoutLiteral } from "./generated-tree.ts";
import { judged, type KeptRatio, keptRatios } from "./kept-ratios.ts";
import { ripgrep } from "./peers.ts";
import { count, gitStatus, printedLines, ripgrepLines } from "./tools.ts";

interface Comparison {
  readonly ratio: KeptRatio;
  /** Processor time of programs comes in steps of 10 ms: a round takes each of the two so often. */
  readonly timesARound: number;
  readonly peer: () => number;
  readonly ours: () => Promise<number>;
  /** Whether both must find the same number. */
  readonly sameResult: boolean;
}

/**
 * `npm run bench -- kept [--files 10000] [--repeat 5] [--seed 1]`: the ratios of `kept-ratios.ts`, each beside its peer in turns, by
 * processor time, which says what a job costs whoever else uses the machine. Ends with 1 when one is above its limit.
 */
export async function run(args: string[]): Promise<number> {
  buildProgram();
  const { values } = parseArgs({
    args,
    options: {
      files: { type: "string", default: "10000" },
      repeat: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
    },
  });
  const root = mkdtempSync(join(tmpdir(), "bench-kept-"));
  let folder: LinkedFolder | undefined;
  try {
    generateTree(root, Number(values.files), Number(values.seed));
    folder = await linkFolder(root);
    const first = await folder.scan();
    folder.summarize(first);
    const changing = join(root, first.newFiles[Math.floor(first.newFiles.length / 2)] ?? "");
    console.log(`${values.files} files, load ${loadavg()[0]?.toFixed(1)}, processor time, median of ${values.repeat}`);
    let failed = 0;
    for (const comparison of [start, ...searches(root), ...looks(root, folder, changing)]) {
      const { line, isKept } = judged(comparison.ratio, await ratioOf(comparison, Number(values.repeat)));
      console.log(`  ${line}`);
      if (!isKept) failed++;
    }
    return failed === 0 ? 0 : 1;
  } finally {
    folder?.close();
    for (const path of [root, `${root}.git`]) rmSync(path, { recursive: true, force: true });
  }
}

/** What every command of the program begins with. */
const start: Comparison = {
  ratio: keptRatios.start,
  timesARound: 4,
  peer: () => printedLines([process.execPath, "-e", "console.log()"]),
  ours: async () => printedLines([process.execPath, join(import.meta.dirname, "../../../cli/launch.js"), "--help"]),
  sameResult: false,
};

function searches(root: string): Comparison[] {
  const program = ripgrep();
  if (program === undefined) return [];
  const files = new FsProjectFiles(root);
  return [
    {
      ratio: keptRatios.literal,
      timesARound: 2,
      peer: () => ripgrepLines(program, root, literal, false),
      ours: () => count(files.grep(literal)),
      sameResult: true,
    },
    {
      ratio: keptRatios.regex,
      timesARound: 2,
      peer: () => ripgrepLines(program, root, regexWithoutLiteral, true),
      ours: () => count(files.grep(regexWithoutLiteral, { syntax: "regex" })),
      sameResult: true,
    },
  ];
}

/** @param changing a file that may be appended to */
function looks(root: string, folder: LinkedFolder, changing: string): Comparison[] {
  const files = new FsProjectFiles(root);
  const afterOneChange = <T>(look: () => T): T => {
    appendFileSync(changing, "\n");
    return look();
  };
  return [
    {
      ratio: keptRatios.walk,
      timesARound: 4,
      peer: () => gitStatus(root),
      ours: () => count(files.walk({ withMetadata: true })),
      sameResult: false,
    },
    {
      ratio: keptRatios.rescan,
      timesARound: 4,
      peer: () => afterOneChange(() => gitStatus(root)),
      ours: () => afterOneChange(async () => (await folder.scan()).changedFiles.length),
      sameResult: true,
    },
  ];
}

/** @throws Error when two that must find the same do not */
async function ratioOf({ ratio, timesARound, peer, ours, sameResult }: Comparison, repeat: number): Promise<number> {
  const severalTimes = (name: string, run: Contender["run"]): Contender => ({
    name,
    async run() {
      let result = 0;
      for (let time = 0; time < timesARound; time++) result = await run();
      return result;
    },
  });
  const [theirs, own] = await compare([severalTimes(ratio.peer, peer), severalTimes(ratio.name, ours)], repeat);
  if (sameResult && theirs?.result !== own?.result)
    throw new Error(`${ratio.name}: ${own?.result} found, ${ratio.peer} ${theirs?.result}`);
  return (own?.medianCpuMs ?? Number.NaN) / (theirs?.medianCpuMs ?? Number.NaN);
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
