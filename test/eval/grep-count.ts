import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Words of questions that name nothing. */
const empty = new Set(
  "about after all and are aus before can der die does few for from get had has have her his how into its know like long make many much new not off one our out she should show some stammt than that the their them there they this was welche welchen well were what when where which who why will with work would you your".split(
    " ",
  ),
);

export function contentWords(question: string): string[] {
  const words = question.toLowerCase().match(/\p{L}[\p{L}\p{N}-]{2,}/gu) ?? [];
  return [...new Set(words)].filter((word) => !empty.has(word));
}

/** Files in the order in which somebody with `grep -c` would open them: by how often they hold words of the question. */
export function byGrepCount(question: string, folder: string, paths: readonly string[]): string[] {
  const words = contentWords(question);
  const scored = paths.map((path) => {
    const text = `${path}\n${readFileSync(join(folder, path), "latin1")}`.toLowerCase();
    return { path, hits: words.reduce((sum, word) => sum + text.split(word).length - 1, 0) };
  });
  return scored
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}
