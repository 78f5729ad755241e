import process from "node:process";

/** A benchmark takes its own arguments, prints what it measured and answers with the process's exit code. */
type Run = (args: string[]) => Promise<number>;

/** Loaded when asked for: a benchmark's imports must not weigh on the others. */
const benchmarks: Record<string, { about: string; load: () => Promise<Run> }> = {
  artifacts: {
    about: "statistics of artifacts beside DuckDB, JSON.parse, htmlparser2 and markdown-it; memory with --gigabyte",
    load: async () => (await import("./artifacts/main.ts")).run,
  },
  bundles: {
    about: "size and import time of every function's bundle beside the AWS clients alone",
    load: async () => (await import("./bundles.ts")).run,
  },
  console: {
    about: "10,000 proposals and 50,000 files of a project in a browser, beside the same lists as plain HTML",
    load: async () => (await import("./console/main.ts")).run,
  },
  delivery: {
    about: "10,000 proposals on two devices through a hundred cuts, 500 devices at once: nothing lost, nothing twice",
    load: async () => (await import("./delivery/main.ts")).run,
  },
  fairness: {
    about: "a person with 10 items beside one with thousands: how much longer the ten wait than alone",
    load: async () => (await import("./fairness/main.ts")).run,
  },
  files: {
    about: "walk, stat, read and grep of a project beside fdir, git, ripgrep and deepagents",
    load: async () => (await import("./files/main.ts")).run,
  },
  frames: {
    about: "100,000 bad frames against the frame handler: each answered by a code, nothing changed",
    load: async () => (await import("./frames/main.ts")).run,
  },
  kept: {
    about: "walk, grep and rescan beside git and ripgrep, in half a minute; fails where one has become slower",
    load: async () => (await import("./files/kept.ts")).run,
  },
  pipeline: {
    about: "items a second beside the engines' ceiling, latency of webhook and proposal, AWS requests and their cost",
    load: async () => (await import("./pipeline/main.ts")).run,
  },
  redaction: {
    about: "credentials in one hostile line of 1 MB and of 10 MB: ten times the text, ten times the work",
    load: async () => (await import("./redaction.ts")).run,
  },
  scan: {
    about: "rescan of a linked folder in which nothing changed beside git status, and the first scan",
    load: async () => (await import("./scan.ts")).run,
  },
  search: {
    about: "a folder indexed from end to end and questions to a large index, beside plain FTS5 and grep",
    load: async () => (await import("./search/main.ts")).run,
  },
  soak: {
    about: "minutes of steady mail: how the process's memory and the heaps of its threads grow by the item",
    load: async () => (await import("./soak/main.ts")).run,
  },
};

const usage = () =>
  [
    "npm run bench [-- NAME [OPTIONS]]    without a name: all of them, one after the other",
    "",
    ...Object.entries(benchmarks).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`),
  ].join("\n");

/** The first argument names a benchmark unless it is an option, which then goes to all of them. */
async function main(args: string[]): Promise<number> {
  const [first = "", ...rest] = args;
  if (first === "--help" || first === "-h") {
    console.log(usage());
    return 0;
  }
  const named = first !== "" && !first.startsWith("-");
  const names = named ? [first] : Object.keys(benchmarks);
  let exitCode = 0;
  for (const name of names) {
    const benchmark = benchmarks[name];
    if (!benchmark) {
      console.error(`There is no benchmark called "${name}".\n\n${usage()}`);
      return 2;
    }
    const run = await benchmark.load();
    exitCode = Math.max(exitCode, await run(named ? rest : args));
  }
  return exitCode;
}

process.exitCode = await main(process.argv.slice(2));
