import { syncBuiltinESMExports } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import workerThreads, { type WorkerOptions } from "node:worker_threads";
import { threadSources } from "../cli/build/options.ts";
import { programFolder } from "../cli/build/plugins.ts";
import { isBuilt, repositoryRoot } from "../infra/local/built/built-code.ts";

/**
 * Loaded before the tests: the device's threads that a test begins in its own process run what they run in use, the build, where it is
 * what the sources say (built-program.ts). A thread from its sources takes three times the processor to load.
 */
const builtOf = new Map(
  threadSources.map((source) => [
    path.join(repositoryRoot, `${source}.ts`),
    path.join(programFolder, `${path.basename(source)}.js`),
  ]),
);
const { Worker } = workerThreads;
let isCurrent: boolean | undefined;

function programOf(program: string | URL): string | URL {
  const built = program instanceof URL ? builtOf.get(fileURLToPath(program)) : undefined;
  if (built === undefined) return program;
  isCurrent ??= isBuilt(repositoryRoot);
  return isCurrent ? built : program;
}

workerThreads.Worker = class extends Worker {
  constructor(program: string | URL, options?: WorkerOptions) {
    super(programOf(program), options);
  }
};
syncBuiltinESMExports();
