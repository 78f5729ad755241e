import "../../built-threads.ts";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fdir } from "fdir";
import { FsProjectFiles } from "../../../device/files/backends/fs/fs-project-files.ts";
import type { GrepOptions } from "../../../device/files/grep/grep-types.ts";
import { systemTimeAndIds } from "../../../device/time-and-ids.ts";
import { setup as buildProgram } from "../../built-program.ts";
import { type Contender, compare, type Measured } from "./compare.ts";
import { generateTree, literal, regex, regexWithoutLiteral } from "./generated-tree.ts";
import { deepagents, deepagentsGrep, ripgrep } from "./peers.ts";
import { count, gitStatus, ripgrepLines } from "./tools.ts";

interface Job {
  name: string;
  /** The first is the peer the others are divided by. */
  contenders: Contender[];
  /** The ratio aimed at, for the contender it is about. */
  goal?: { contender: string; ratio: number };
  /** Whether all contenders must find the same number. */
  sameResult: boolean;
}

/**
 * `npm run bench -- files [--files 50000] [--repeat 5] [--seed 1] [--root DIR]`: what ProjectFiles costs beside the tools
 * one would otherwise use, on a generated tree, all in one run. Threads run what they run in use, the build.
 */
export async function run(args: string[]): Promise<number> {
  buildProgram();
  const { values } = parseArgs({
    args,
    options: {
      files: { type: "string", default: "50000" },
      repeat: { type: "string", default: "5" },
      seed: { type: "string", default: "1" },
      root: { type: "string" },
    },
  });
  const repeat = Number(values.repeat);
  const root = values.root ?? mkdtempSync(join(tmpdir(), "bench-files-"));
  try {
    if (values.root === undefined) {
      const { bytes } = generateTree(root, Number(values.files), Number(values.seed));
      console.log(`${values.files} files, ${(bytes / 1e6).toFixed(0)} MB, seed ${values.seed}`);
    }
    console.log(`load before: ${loadavg()[0]?.toFixed(1)}; median of ${repeat} rounds, contenders in turn\n`);
    let differing = 0;
    for (const job of jobs(root)) {
      const measured = await compare(job.contenders, repeat);
      print(job, measured);
      if (job.sameResult && new Set(measured.map(({ result }) => result)).size > 1) differing++;
    }
    await printDeepagents(root);
    await printHostile();
    return differing === 0 ? 0 : 1;
  } finally {
    if (values.root === undefined)
      for (const path of [root, `${root}.git`]) rmSync(path, { recursive: true, force: true });
  }
}

function jobs(root: string): Job[] {
  const plain = new FsProjectFiles(root, { ripgrep: false });
  const all: Job[] = [
    {
      name: "walk",
      contenders: [
        { name: "fdir", run: () => crawled(root) },
        { name: "walk, ignore rules obeyed", run: () => count(plain.walk()) },
        { name: "walk, ignore rules off", run: () => count(plain.walk({ ignoreRules: false })) },
      ],
      goal: { contender: "walk, ignore rules obeyed", ratio: 1.3 },
      sameResult: true,
    },
    {
      name: "walk and stat",
      contenders: [
        { name: "git status", run: () => gitStatus(root) },
        { name: "walk with metadata", run: () => count(plain.walk({ withMetadata: true })) },
      ],
      goal: { contender: "walk with metadata", ratio: 1.5 },
      sameResult: false,
    },
    {
      name: "read and hash",
      contenders: [
        { name: "git hash-object", run: () => hashedByGit(root) },
        { name: "read and SHA-256", run: () => hashed(plain) },
      ],
      sameResult: true,
    },
  ];
  const program = ripgrep();
  if (program === undefined) return all;
  const asUsed = new FsProjectFiles(root);
  const helped = new FsProjectFiles(root, { ripgrep: program });
  const search = (name: string, pattern: string, options: GrepOptions, ratio: number): Job => ({
    name: `grep ${name}: ${pattern}`,
    contenders: [
      {
        name: "ripgrep",
        run: () => ripgrepLines(program, root, pattern, options.syntax === "regex"),
      },
      { name: "grep", run: () => count(asUsed.grep(pattern, options)) },
      { name: "grep with ripgrep", run: () => count(helped.grep(pattern, options)) },
      { name: "grep without ripgrep", run: () => count(plain.grep(pattern, options)) },
    ],
    goal: { contender: "grep", ratio },
    sameResult: true,
  });
  all.push(search("literal", literal, {}, 1.3));
  all.push(search("regex", regex, { syntax: "regex" }, 3));
  all.push(search("regex without a literal in it", regexWithoutLiteral, { syntax: "regex" }, 2));
  return all;
}

function print(job: Job, measured: readonly Measured[]): void {
  const [peer] = measured;
  console.log(job.name);
  for (const { name, medianMs, minMs, maxMs, medianCpuMs, result } of measured) {
    const ratio = medianMs / (peer?.medianMs ?? Number.NaN);
    const goal =
      job.goal?.contender === name
        ? ` (goal ${job.goal.ratio.toFixed(1)}: ${ratio <= job.goal.ratio ? "reached" : "not reached"})`
        : "";
    const range = `${minMs.toFixed(0)}–${maxMs.toFixed(0)}`;
    const cpu = `CPU ${medianCpuMs.toFixed(0)} ms × ${(medianCpuMs / (peer?.medianCpuMs ?? Number.NaN)).toFixed(2)}`;
    console.log(
      `  ${name.padEnd(28)}${medianMs.toFixed(0).padStart(6)} ms ${range.padStart(12)}  × ${ratio.toFixed(2)}${goal}  ${cpu}  ${result}`,
    );
  }
  console.log();
}

async function printDeepagents(root: string): Promise<void> {
  const entry = deepagents();
  if (entry === undefined) return;
  const theirs = deepagentsGrep(entry, root, literal);
  const [ours] = await compare(
    [{ name: "ours", run: () => count(new FsProjectFiles(root, { ripgrep: false }).grep(literal)) }],
    3,
  );
  const factor = theirs.ms / (ours?.medianMs ?? Number.NaN);
  const goal = factor >= 10 ? "reached" : "not reached";
  console.log("grep literal, both without ripgrep");
  console.log(`  deepagents FilesystemBackend ${theirs.ms.toFixed(0)} ms, ${theirs.matches} matches`);
  console.log(
    `  ours ${ours?.medianMs.toFixed(0)} ms, ${ours?.result} matches: ${factor.toFixed(1)} times faster (goal 10: ${goal})\n`,
  );
}

/** Patterns that bring backtracking engines to a halt, on text made for them; the slowest counts. */
async function printHostile(): Promise<void> {
  const { InMemoryProjectFiles } = await import("../../../device/files/backends/in-memory-project-files.ts");
  const files = new InMemoryProjectFiles({ f: `${"a".repeat(50_000)}!\n${"x".repeat(50_000)}\n` }, systemTimeAndIds);
  const patterns = [
    "(a+)+$",
    "(a|aa)+$",
    "(a*)*b",
    "(x+x+)+y",
    "(.*)*z",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(a?){40}a{40}$",
    "[a-z]{1000}$",
    "(.{0,500}a){2}#",
    "(?:a|b|ab)*c",
  ];
  let worst = { pattern: "", ms: 0 };
  for (const pattern of patterns) {
    const startMs = performance.now();
    await count(files.grep(pattern, { syntax: "regex" })).catch(() => 0);
    const ms = performance.now() - startMs;
    if (ms > worst.ms) worst = { pattern, ms };
  }
  const goal = worst.ms <= 200 ? "reached" : "not reached";
  console.log(`catastrophic patterns: slowest ${worst.ms.toFixed(0)} ms, ${worst.pattern} (goal 200 ms: ${goal})`);
}

async function crawled(root: string): Promise<number> {
  const crawl = new fdir()
    .withRelativePaths()
    .filter((path) => path !== ".git")
    .crawl(root);
  return (await crawl.withPromise()).length;
}

function hashedByGit(root: string): number {
  const paths = execFileSync("git", ["-C", root, "ls-files"], { maxBuffer: 2 ** 28 });
  const hashes = execFileSync("git", ["-C", root, "hash-object", "--no-filters", "--stdin-paths"], {
    input: paths,
    maxBuffer: 2 ** 28,
  });
  return hashes.toString().split("\n").length - 1;
}

async function hashed(files: FsProjectFiles): Promise<number> {
  let counted = 0;
  for await (const { path } of files.walk()) {
    createHash("sha256")
      .update(await files.read(path))
      .digest();
    counted++;
  }
  return counted;
}

if (import.meta.main) process.exitCode = await run(process.argv.slice(2));
