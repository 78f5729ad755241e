import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * Counts which letter follows which in this project's own words (documents, names in its code) and writes the table that
 * tells written text from random text. `node test/training/letter-pairs.ts`
 */
const root = path.resolve(import.meta.dirname, "../..");
const target = "shared/privacy/redaction/randomness/letter-pairs.ts";
const sources = ["README.md", "docs/**/*.md", "{shared,device,functions,infra,cli,events}/**/*.ts"];
const letters = "abcdefghijklmnopqrstuvwxyz";

/** Each word once: a table of counts in which `the` outweighs everything knows only `the`. */
export function wordsOf(texts: Iterable<string>): Set<string> {
  const words = new Set<string>();
  for (const text of texts) {
    for (const [word] of text.matchAll(/[A-Z]?[a-z]{2,20}|[A-Z]{3,20}(?![a-z])/g)) words.add(word.toLowerCase());
  }
  return words;
}

/** Quarter bits by which a pair is likelier in a word than among random letters, as characters around `M` (nought). */
export function pairTable(words: Iterable<string>): string[] {
  const counts = Array.from(letters, () => new Array<number>(letters.length).fill(0.5));
  for (const word of words) {
    for (let at = 1; at < word.length; at++) {
      const row = counts[letters.indexOf(word.charAt(at - 1))];
      const column = letters.indexOf(word.charAt(at));
      if (row !== undefined) row[column] = (row[column] ?? 0) + 1;
    }
  }
  return counts.map((row) => {
    const total = row.reduce((sum, count) => sum + count, 0);
    return row
      .map((count) => Math.round(4 * Math.log2((count / total) * letters.length)))
      .map((quarters) => String.fromCharCode(77 + Math.max(-12, Math.min(12, quarters))))
      .join("");
  });
}

if (import.meta.main) {
  const files = sources.flatMap((pattern) => globSync(pattern, { cwd: root })).filter((file) => file !== target);
  const rows = pairTable(wordsOf(files.sort().map((file) => readFileSync(path.join(root, file), "utf8"))));
  writeFileSync(
    path.join(root, target),
    [
      "/**",
      " * How much likelier each letter follows each letter in words than among random letters: a row a letter, a column the",
      " * letter after it, quarter bits around `M`. Written by test/training/letter-pairs.ts from this project's own text.",
      " */",
      "export const letterPairs: readonly string[] = [",
      ...rows.map((row) => `  "${row}",`),
      "];",
      "",
    ].join("\n"),
  );
}
