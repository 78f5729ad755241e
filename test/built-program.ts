import { execFileSync } from "node:child_process";
import process from "node:process";
import { isBuilt, repositoryRoot } from "../infra/local/built/built-code.ts";

/**
 * Runs once, before a run of all tests: the homes and processes they start run what `npm start` runs, which loads several times
 * as fast as the sources. Files that are named on the command line do without: what was changed since is run from its sources.
 */
export function setup(): void {
  if (isBuilt(repositoryRoot)) return;
  execFileSync(process.execPath, ["cli/build/main.ts"], {
    cwd: repositoryRoot,
    stdio: ["ignore", "ignore", "inherit"],
  });
}
