/**
 * How text becomes words of the index, and questions the same words. SQLite's `unicode61` splits at what is neither letter
 * nor digit and folds case and accents. What it cannot do is done here: it takes 日程を決める for one word (so a search for
 * 日程 would find nothing), and getUserName as well.
 */

/** Scripts that are written without spaces, or whose endings are glued to the word: bigrams find any part of two characters. */
const paired = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー々〆]+/gu;
const hasPaired = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** Scripts without spaces whose words are known to ICU's dictionaries. */
const unspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{M}]+/gu;
const hasUnspaced = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const notAscii = /[^\p{ASCII}]/u;

/** Where a name in code goes on with another word: aB, HTTPRequest. Quick to look for, and most texts have none. */
const seam = /[a-z0-9][A-Z]|[A-Z]{2}[a-z]/;
const seams = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const asciiNames = /[A-Za-z0-9]{3,200}/g;

let dictionary: Intl.Segmenter | undefined;

/** Marks that `unicode61` leaves where they are, and people leave out: ё, and the accents of Greek. */
const marked = /[ёЁάέήίόύώϊϋΐΰΆΈΉΊΌΎΏΪΫأإآ]/gu;

/**
 * What stands within words and is no part of them: where a line may break (soft hyphen), and does not (word joiner, byte order
 * mark); the vowels of Hebrew and Arabic, which most texts leave out; the stroke that stretches an Arabic word; how a sign or a
 * Chinese character is to be drawn (variation selectors). `unicode61` takes each for the end of a word.
 */
const unspelled =
  /[\u00ad\u2060\ufeff\u0640]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/gu;

/** One spelling of what looks the same: ligatures, half-width kana, Hangul in letters, ё and е, words with a soft hyphen in them. */
export function oneSpelling(text: string): string {
  if (!notAscii.test(text)) return text;
  const spelled = text.normalize("NFKC").replace(unspelled, "");
  return spelled.replace(marked, (letter) => letter.normalize("NFD").slice(0, 1));
}

/** A text as the index takes it: words stand apart, whatever the script. */
export function spacedWords(text: string): string {
  let spaced = oneSpelling(text);
  if (hasPaired.test(spaced)) spaced = spaced.replace(paired, (run) => ` ${pairsOf(run).join(" ")} `);
  if (hasUnspaced.test(spaced)) spaced = spaced.replace(unspaced, (run) => ` ${dictionaryWords(run).join(" ")} `);
  return spaced;
}

/** The last character stands by itself as well: so a search for one character finds it as the beginning of a word, wherever it is. */
function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.map((character, at) => character + (characters[at + 1] ?? ""));
}

/** The words of a text by ICU's dictionaries, and what stands between them: also of Chinese and Japanese, where pairs are not enough. */
export function dictionaryWords(run: string): string[] {
  dictionary ??= new Intl.Segmenter("und", { granularity: "word" });
  return Array.from(dictionary.segment(run), ({ segment }) => segment);
}

/** The parts of names in code, each once: `getUserName` holds get, User, Name. `unicode61` takes apart get_user_name itself. */
export function partsOfNames(text: string): string {
  if (!seam.test(text)) return "";
  const parts = new Set<string>();
  for (const [name] of text.matchAll(asciiNames)) {
    if (seam.test(name)) for (const part of name.split(seams)) parts.add(part);
  }
  return [...parts].filter((part) => part.length > 1).join(" ");
}

/** A word of a question, as the index has it. */
export interface SearchedWord {
  /** Tokens that must follow each other. */
  readonly tokens: readonly string[];
  /** Stands for every word that begins so: one character of a script without spaces. */
  readonly isPrefix: boolean;
}

const wordLike = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** The words of one piece of a question: none for punctuation, several for a name with hyphens or an unspaced phrase. */
export function searchedWords(text: string): SearchedWord[] {
  const words: SearchedWord[] = [];
  for (const [run] of oneSpelling(text).matchAll(wordLike)) {
    let end = 0;
    for (const { 0: glued, index } of run.matchAll(paired)) {
      if (index > end) words.push(...plainWords(run.slice(end, index)));
      const pairs = pairsOf(glued);
      // The last character alone is the beginning of other words too: whole pairs say enough.
      words.push(
        pairs.length === 1 ? { tokens: pairs, isPrefix: true } : { tokens: pairs.slice(0, -1), isPrefix: false },
      );
      end = index + glued.length;
    }
    if (end < run.length) words.push(...plainWords(run.slice(end)));
  }
  return words;
}

function plainWords(run: string): SearchedWord[] {
  const pieces = hasUnspaced.test(run) ? dictionaryWords(run) : [run];
  return pieces.map((piece) => ({ tokens: [piece], isPrefix: false }));
}

/** Whether a word of a question may stand anywhere in what stands without spaces. */
export const isGlued = (token: string): boolean => hasPaired.test(token) || hasUnspaced.test(token);

/** The parts of one name in code; itself when it has none. */
export const partsOfName = (name: string): string[] => (seam.test(name) ? name.split(seams) : [name]);
