import { outlineOf } from "../reading/outline.ts";
import type { Summarizer } from "./summaries.ts";

const commentMark = /^\s*(?:\/\*\*?|\*\/?|\/\/+|#+!?|--|;+|<!--|"""|''')\s?/;

/**
 * A summary without any model: what the file says first about itself, and what it declares. Says where things are and
 * gives no advice, which is what helps (machine-written advice costs more than it gains, arXiv 2602.11988).
 */
export const builtInSummarizer: Summarizer = {
  name: "built-in",
  async summarize(text) {
    const lines = text.split(/\r?\n/);
    const opening = openingOf(lines);
    const parts = outlineOf(lines, 60).map(({ line, text: entry }) => `${line}: ${entry}`);
    return [
      `${text.endsWith("\n") ? lines.length - 1 : lines.length} lines.`,
      opening,
      parts.length > 0 ? `Parts:\n${parts.join("\n")}` : "",
    ]
      .filter((part) => part !== "")
      .join("\n");
  },
};

/** The first paragraph of prose: a leading comment, or text. */
function openingOf(lines: readonly string[]): string {
  const words: string[] = [];
  for (const line of lines.slice(0, 80)) {
    const said = line
      .replace(commentMark, "")
      .replace(/\*\/\s*$|-->\s*$/, "")
      .trim();
    if (isProse(said)) words.push(said);
    else if (words.length > 0) break;
  }
  return words.join(" ").slice(0, 600);
}

/** A word, a second one somewhere behind it, and no sign of a program. */
function isProse(said: string): boolean {
  const words = said.split(/\s+/);
  const first = words.findIndex((word) => /[A-Za-z\u00c0-\uffff]{3}/.test(word));
  const isSaid = first !== -1 && words.slice(first + 1).some((word) => /[A-Za-z\u00c0-\uffff]{2}/.test(word));
  return isSaid && !/[{};=<>]/.test(said);
}
