import { dirname, join } from "node:path";
import { builtFolder, codeOf, isBuilt, repositoryRoot } from "../built/built-code.ts";
import type { FunctionNode } from "../graph.ts";

/** The files that the functions of a home are run from. */
export interface FunctionCode {
  /** Absolute path of the program of a function's thread. */
  readonly thread: string;
  /** Where these files lie if they were built. */
  readonly builtFolder: string | undefined;
  /** Absolute path of a function's module, and the name of its handler there. */
  handler(node: FunctionNode): { file: string; exportName: string };
}

/**
 * What was built of the functions, where that is current, else their sources.
 *
 * @param configFile another configuration than this checkout's `sst.config.ts`: its handlers are sources in its folder
 */
export function functionCode(configFile: string | undefined): FunctionCode {
  const built = isBuilt(repositoryRoot);
  return {
    thread: codeOf(built, "infra/local/host/thread"),
    builtFolder: built ? builtFolder : undefined,
    handler({ handler }) {
      const separator = handler.lastIndexOf(".");
      const entry = handler.slice(0, separator);
      const file = configFile === undefined ? codeOf(built, entry) : join(dirname(configFile), `${entry}.ts`);
      return { file, exportName: handler.slice(separator + 1) };
    },
  };
}
