import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { dataFolder, hasData } from "../data/published.ts";

/** Strings that others' programs broke on, and some that files of JSON text seldom hold. */
export const awkward: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "a\udfffb",
  "\u001b[2J\u001b]0;title\u0007",
  "\u009b31m",
  "\u202egpj.exe",
  "\u200b\u2060",
  "line\r\nline\u2028line",
  "__proto__",
  "constructor",
  "</linked_folder>",
  "$(id) `id` $\u007bid}",
  "é\u0301",
  "👩‍👩‍👧‍👦",
];

/** The published naughty strings where they are, beside our own. */
export const naughtyStrings: readonly string[] = [
  ...awkward,
  ...(hasData ? (JSON.parse(readFileSync(new URL("paths/naughty_strings.json", dataFolder), "utf8")) as string[]) : []),
];

/** Verdicts on a set of vectors, counted by name and written on one line when the file's tests are over. */
export class Tally {
  readonly #counts = new Map<string, number>();

  constructor(set: string) {
    afterAll(() => {
      const total = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
      const parts = [...this.#counts].sort().map(([verdict, count]) => `${verdict} ${count}`);
      process.stdout.write(`${set}: ${total > 0 ? `${total} (${parts.join(", ")})` : "not run"}\n`);
    });
  }

  add(verdict: string, count = 1): void {
    this.#counts.set(verdict, (this.#counts.get(verdict) ?? 0) + count);
  }

  get(verdict: string): number {
    return this.#counts.get(verdict) ?? 0;
  }
}

/** Names and texts of the files below a folder of the published data, sorted; none when it is absent. */
export function vectorFiles(folder: string, extension = ""): { readonly name: string; readonly text: string }[] {
  if (!hasData) return [];
  const root = fileURLToPath(new URL(folder, dataFolder));
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(extension))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ name: path.slice(root.length).replace(/^\//, ""), text: readFileSync(path, "utf8") }));
}
