import { folded } from "../../store/sqlite/folded-text.ts";

/** Whether every word stands in one of the texts, without case and accents. */
export function holdsWords(words: string, ...texts: readonly string[]): boolean {
  const wanted = folded(words)
    .split(/\s+/u)
    .filter((word) => word !== "");
  if (wanted.length === 0) return true;
  const all = folded(texts.join("\n"));
  return wanted.every((word) => all.includes(word));
}
