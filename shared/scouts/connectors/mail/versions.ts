/** Fewer words than this are a hint to get another mail program, not another letter. */
const fewestWords = 6;
/** Of the words of a version, the share another may lack and still say the same: footers, addresses of links. */
const mostMissing = 0.4;
/** How much of each version is compared; far more than a verdict looks at. */
const comparedCharacters = 20_000;

const link = /\b(?:https?:\/\/|www\.|mailto:)\S+/gi;
/** Words; scripts without blanks between words count by the character. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}])+/gu;

/**
 * Whether a version of a letter says something the shown one does not: then some mail programs show their readers
 * another letter, and both are judged.
 */
export function saysOther(shown: string, version: string): boolean {
  const own = wordsOf(version);
  const there = wordsOf(shown);
  const missing = [...own].filter((each) => !there.has(each)).length;
  return missing >= fewestWords && missing > mostMissing * own.size;
}

function wordsOf(text: string): Set<string> {
  const plain = text.slice(0, comparedCharacters).replace(link, " ").normalize("NFKC").toLowerCase();
  return new Set(plain.slice(0, 2 * comparedCharacters).match(word) ?? []);
}
