import { fold, words } from "./triage/text.ts";

/** Only the head of a long text is read: enough for what it is about, and bounded. */
const maxTextCharacters = 50_000;

/** Words that say nothing about a text, in the languages most mail here is in. */
export const emptyWords = new Set(
  "the a an and or of to in on for with is are was were be this that it as at by from not have has you your we our i der die das und oder ist sind ein eine zu mit von den im le la les et de des un une el los las y en que do da e o os as um uma het een".split(
    " ",
  ),
);

/**
 * An extractive summary: the sentences whose words recur most in the text, in their order.
 *
 * @param maxSentences how many at most
 * @param maxCharacters longest result
 */
export function extractSummary(text: string, maxSentences = 3, maxCharacters = 600): string {
  const sentences = text
    .slice(0, maxTextCharacters)
    .split(/\n+|(?<=[.!?。])\s+/)
    .map((sentence) => sentence.replace(/\s+/g, " ").trim().slice(0, maxCharacters))
    .filter((sentence) => sentence !== "");
  const tokens = sentences.map((sentence) => new Set(words(fold(sentence)).filter((word) => !emptyWords.has(word))));
  const frequency = new Map<string, number>();
  for (const set of tokens) for (const token of set) frequency.set(token, (frequency.get(token) ?? 0) + 1);
  const ranked = tokens
    .map((set, index) => {
      const weight = [...set].reduce((sum, token) => sum + (frequency.get(token) ?? 0), 0);
      // Openings say what a text is about.
      return { index, weight: weight / Math.sqrt(set.size + 4) + 2 / (index + 1) };
    })
    .sort((one, other) => other.weight - one.weight || one.index - other.index);
  const chosen = ranked.slice(0, maxSentences).sort((one, other) => one.index - other.index);
  return chosen
    .map(({ index }) => sentences[index])
    .join(" ")
    .slice(0, maxCharacters)
    .toWellFormed();
}
