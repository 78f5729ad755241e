import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { EvaluationError } from "./evaluation-error.ts";

/** Published data beside the checkout; absent in most checkouts. */
export const dataFolder = join(import.meta.dirname, "..", "..", "..", "shared", "data");

/** The files named, or those of the data folder beside the checkout. Throws an {@link EvaluationError} when one is missing. */
export function dataFiles(named: readonly string[], pattern: string): string[] {
  if (named.length === 0) {
    const found = globSync(join(dataFolder, pattern)).sort();
    if (found.length === 0)
      throw new EvaluationError(`Name a file: there is no ../shared/data/${pattern} beside the checkout.`);
    return found;
  }
  const missing = named.find((file) => !existsSync(file));
  if (missing !== undefined) throw new EvaluationError(`There is no file ${missing}.`);
  return [...named];
}

/** Whether the mail of the data folder is there, for what can do without. */
export function hasData(pattern: string): boolean {
  return globSync(join(dataFolder, pattern)).length > 0;
}
