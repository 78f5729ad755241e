import { readFile } from "node:fs/promises";
import path from "node:path";
import { build, type Plugin } from "esbuild";
import { describe, expect, test } from "vitest";
import { neverLoaded } from "../../infra/functions.ts";
import { evaluate } from "../../infra/local/graph.ts";
import { deployedHandlers, sstOptions } from "../bench/function-bundles.ts";
import { root } from "./stack.ts";

/**
 * Marks what a composition module makes as free of side effects, so that a bundle keeps only what its handler uses and
 * can be read as the list of it.
 */
const onlyWhatIsUsed: Plugin = {
  name: "only-what-is-used",
  setup(plugin) {
    plugin.onLoad({ filter: /[\\/]functions[\\/].*\.ts$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, "utf8")).replace(
        /^((?:export )?const \w+ = )(?=\w+[<(])/gm,
        "$1/* @__PURE__ */ ",
      ),
      loader: "ts",
    }));
  },
};

const handlers = deployedHandlers();
const graph = await evaluate({ stage: "ci" });
const { outputFiles = [], metafile } = await build({
  ...sstOptions,
  entryPoints: handlers,
  outbase: root,
  outdir: path.join(root, "unwritten"),
  minify: false,
  metafile: true,
  write: false,
  plugins: [onlyWhatIsUsed],
});

/** By `functions/webhook/gmail`. */
const bundles = new Map(
  outputFiles.map((file) => [path.relative(path.join(root, "unwritten"), file.path).replace(/\.js$/, ""), file.text]),
);
const functions = Object.values(graph.functions).map((lambda) => ({
  ...lambda,
  module: lambda.handler.replace(/\.\w+$/, ""),
  exported: lambda.handler.replace(/^.*\./, ""),
}));

/** The names among `candidates` that the bundle of a function mentions as a text. */
const mentioned = (module: string, candidates: readonly string[]) =>
  candidates.filter((name) => bundles.get(module)?.includes(`"${name}"`)).sort();

describe("what the functions' code needs and what infra/ gives them", () => {
  test("every handler that infra/ names exists and is exported", () => {
    expect(functions.map(({ module }) => `${module}.ts`).sort()).toEqual([...handlers].sort());
    const exported = Object.entries(metafile?.outputs ?? {}).map(([, { entryPoint, exports }]) => [
      entryPoint,
      exports,
    ]);
    for (const { module, exported: name } of functions) {
      expect(exported).toContainEqual([`${module}.ts`, expect.arrayContaining([name])]);
    }
  });

  test.each(functions)("least privilege: $module is linked to what its code uses and to nothing else", (lambda) => {
    expect(mentioned(lambda.module, Object.keys(graph.links))).toEqual([...lambda.links].sort());
  });

  test.each(functions)("$module is given the settings its code reads and no others", (lambda) => {
    const settings = [...new Set(functions.flatMap(({ environment }) => Object.keys(environment)))];
    expect(mentioned(lambda.module, settings)).toEqual(Object.keys(lambda.environment).sort());
  });

  test("nothing that the bundles leave out is needed to load them", () => {
    const needed = Object.values(metafile?.outputs ?? {}).flatMap(({ entryPoint, imports }) =>
      imports
        .filter(({ path: target, kind }) => neverLoaded.includes(target) && kind !== "dynamic-import")
        .map(({ path: target }) => `${entryPoint} needs ${target}`),
    );
    expect(needed).toEqual([]);
  });

  test("the library that speaks IMAP is in the bundle of its one worker, and no other source's is there with it", () => {
    const holding = (part: RegExp) =>
      Object.values(metafile?.outputs ?? {})
        .filter(({ inputs }) =>
          Object.entries(inputs).some(([file, { bytesInOutput }]) => part.test(file) && bytesInOutput > 0),
        )
        .map(({ entryPoint }) => entryPoint);
    expect(holding(/node_modules\/imapflow\//)).toEqual(["functions/worker/imap.ts"]);
    expect(holding(/node_modules\/googleapis\//)).not.toContain("functions/worker/imap.ts");
  });

  test("P5: no function carries the code that reads or writes a project's files", () => {
    const carriers = Object.entries(metafile?.outputs ?? {}).filter(([, { inputs }]) =>
      Object.keys(inputs).some(
        (input) => /shared\/files\/(fs-|s3-)/.test(input) && (inputs[input]?.bytesInOutput ?? 0) > 0,
      ),
    );
    expect(carriers.map(([, { entryPoint }]) => entryPoint)).toEqual([]);
  });
});
