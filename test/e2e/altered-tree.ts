import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../infra/local/graph.ts";

/** A change to a source file: the text it must hold exactly once, and what stands there instead. */
export interface Alteration {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const folders = ["events", "functions", "infra", "shared"];

/**
 * Copies the product's sources into a folder and alters them there. The copy's `sst.config.ts` describes a system that
 * is this repository's but for the alterations.
 *
 * @returns the path of that `sst.config.ts`
 * @throws when an alteration does not fit the sources any more
 */
export function alteredTree(folder: string, alterations: readonly Alteration[]): string {
  for (const name of folders) {
    const local = join(repositoryRoot, "infra", "local");
    cpSync(join(repositoryRoot, name), join(folder, name), { recursive: true, filter: (path) => path !== local });
  }
  for (const name of ["sst.config.ts", "package.json"]) cpSync(join(repositoryRoot, name), join(folder, name));
  symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  for (const { file, from, to } of alterations) {
    const path = join(folder, file);
    const text = readFileSync(path, "utf8");
    if (text.split(from).length !== 2) throw new Error(`${file} does not hold once: ${from}`);
    writeFileSync(
      path,
      text.replace(from, () => to),
    );
  }
  return join(folder, "sst.config.ts");
}
