import { availableParallelism } from "node:os";
import process from "node:process";
import { defineConfig } from "vitest/config";
import { LongFilesFirst } from "./test/long-files-first.ts";
import { long, ownProcess, secondProofs, testsOfTests } from "./test/phases.ts";
import { fixedSeed } from "./test/rounds.ts";

/**
 * `--mode quick` is the short run of `npm test`. With `ROUNDS=change` it is what a change has to pass: every file, with some of the
 * repetitions; `FILES=short` or `FILES=long` is a part of that. Without it, or with `ROUNDS=whole`, every test runs, with all its
 * repetitions (docs/tests.md).
 */
export default defineConfig(({ mode }) => {
  const asked = process.env["ROUNDS"];
  const allTests = mode === "quick" || asked === "whole";
  const size = asked === "whole" || asked === "change" ? asked : mode === "quick" ? "quick" : "whole";
  const built = allTests ? ["test/built-program.ts"] : [];
  const ofWhole = [...testsOfTests, ...secondProofs];
  const part = process.env["FILES"];
  const leftOut = [
    ...(size === "whole" ? [] : ofWhole),
    ...(size === "quick" || part === "short" ? long : []),
    ...(part === "long" ? ownProcess.filter((file) => !long.includes(file)) : []),
  ];
  // Said for each project: what they extend is read again, without the mode.
  const env = { ROUNDS: size };
  // A change fails for what it changed: its tests come in an order of their own, and the same one each time (test/rounds.ts).
  const seed = size === "whole" ? {} : { seed: fixedSeed };
  return {
    test: {
      setupFiles: ["test/case-seed.ts"],
      sequence: { shuffle: true, sequencer: LongFilesFirst, ...seed },
      // A net for what hangs, no promise: under load a test takes what it takes.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      expect: { poll: { timeout: 30_000 } },
      pool: "forks",
      // One more than there are cores: a third of the time a file waits, for what is slow on purpose or for the disk. Each more loads
      // all sources once more.
      maxWorkers: availableParallelism() + 1,
      // A function's thread fills V8's first 1 MB of young objects many times over while it loads: with room for that it takes a
      // fifth less of the processor.
      execArgv: ["--min-semi-space-size=16", "--import", new URL("./test/built-threads.ts", import.meta.url).href],
      projects: [
        {
          extends: true,
          test: {
            name: "own process",
            globalSetup: [...built],
            include: [...ownProcess],
            exclude: leftOut,
            sequence: { groupOrder: 0 },
            env,
          },
        },
        {
          extends: true,
          test: {
            name: "shared process",
            include: part === "long" ? [...long] : ["test/**/*.test.ts"],
            globalSetup: ["test/what-is-absent.ts", ...built],
            exclude: [...ownProcess, ...leftOut],
            // What a file imports stays loaded for the next one.
            isolate: false,
            // Node takes the types off by itself, as in use; nothing here replaces a module.
            experimental: { viteModuleRunner: false, nodeLoader: false },
            sequence: { groupOrder: 1 },
            env,
          },
        },
      ],
    },
  };
});
