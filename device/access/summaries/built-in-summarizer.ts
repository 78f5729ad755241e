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
    const isProse = /[A-Za-z\u00c0-\uffff]{3,}.*\s.*[A-Za-z\u00c0-\uffff]{2,}/.test(said) && !/[{};=<>]/.test(said);
    if (isProse) words.push(said);
    else if (words.length > 0) break;
  }
  return words.join(" ").slice(0, 600);
}
