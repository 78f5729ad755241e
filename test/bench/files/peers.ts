import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const definitions = fileURLToPath(new URL("./peers/", import.meta.url));
/** Out of the project's own dependencies: packages that only these benchmarks need. */
const cache = fileURLToPath(new URL("../../../node_modules/.cache/bench-files-peers/", import.meta.url));

/** deepagents' entry, installed on first use. Undefined, with the reason printed, when that is not possible. */
export const deepagents = (): string | undefined => installed("deepagents", "node_modules/deepagents/dist/node.js");

/**
 * ripgrep: `rg` on PATH, else the one that npm has for this system, installed on first use. Undefined, with the reason printed,
 * when there is neither.
 */
export function ripgrep(): string | undefined {
  if (spawnSync("rg", ["--version"]).status === 0) return "rg";
  const program = process.platform === "win32" ? "rg.exe" : "rg";
  return installed("ripgrep", `node_modules/@vscode/ripgrep-${process.platform}-${process.arch}/bin/${program}`);
}

/** Installs a peer from its lock, where that has not been done yet, and answers with the path of `entry` in it. */
function installed(name: string, entry: string): string | undefined {
  const folder = join(cache, name);
  const path = join(folder, entry);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  for (const file of ["package.json", "package-lock.json"])
    copyFileSync(join(definitions, name, file), join(folder, file));
  console.log(`installing ${name} (once) …`);
  const install = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: folder,
    encoding: "utf8",
  });
  if (install.status === 0 && existsSync(path)) return path;
  const why = install.stderr?.trim().split("\n").at(-1) || (install.error?.message ?? "not for this system");
  console.log(`left out: ${name} could not be installed (${why})`);
  return undefined;
}

/** Milliseconds deepagents' own search takes without ripgrep, in a process whose PATH does not lead to it. */
export function deepagentsGrep(entry: string, root: string, literal: string): { ms: number; matches: number } {
  const program = `
    const { FilesystemBackend } = await import(${JSON.stringify(entry)});
    const backend = new FilesystemBackend({ rootDir: ${JSON.stringify(root)}, virtualMode: true });
    const start = performance.now();
    const answer = await backend.grep(${JSON.stringify(literal)}, "/");
    const matches = Array.isArray(answer) ? answer : answer.matches;
    console.log(JSON.stringify({ ms: performance.now() - start, matches: matches.length }));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    env: { PATH: dirname(process.execPath) },
  });
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
}
