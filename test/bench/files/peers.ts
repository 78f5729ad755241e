import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const definition = fileURLToPath(new URL("./peers/", import.meta.url));
/** Out of the project's own dependencies: two hundred packages that only this benchmark needs. */
const cache = fileURLToPath(new URL("../../../node_modules/.cache/bench-files-peers/", import.meta.url));

/** Installs deepagents from the lock on first use. Undefined, with the reason printed, when that is not possible. */
export function deepagents(): string | undefined {
  const entry = join(cache, "node_modules/deepagents/dist/node.js");
  if (existsSync(entry)) return entry;
  mkdirSync(cache, { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) copyFileSync(join(definition, name), join(cache, name));
  console.log("installing deepagents (once) …");
  const install = spawnSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd: cache,
    encoding: "utf8",
  });
  if (install.status === 0 && existsSync(entry)) return entry;
  console.log(
    `left out: deepagents could not be installed (${install.stderr?.trim().split("\n").at(-1) ?? install.error})`,
  );
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
