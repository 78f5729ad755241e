import type { ItemView, Known } from "./item-view.ts";

/** Shorter names are words of any letter; a character of Chinese, Japanese or Korean is a syllable, or a word. */
const shortest = { name: 4, ofSyllables: 2 } as const;
/** Between words of these scripts stand no blanks. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const syllables = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]+$/u;
const hangul = /\p{Script=Hangul}/u;

const isNameEnough = (name: string): boolean =>
  [...name].length >= (syllables.test(name) ? shortest.ofSyllables : shortest.name);

/**
 * The project an item names: in its subject, or, where its sender is known, in its text. None where it names several. A
 * stranger's text names none, so that what is written into a mail does not sort it.
 */
export function mentionedProject({ subject, text }: ItemView, { projects, isSenderKnown }: Known) {
  const named = (within: string) => projects.filter(({ name }) => isNameEnough(name) && holds(within, name));
  const [first, another] = named(subject);
  if (first !== undefined) return another === undefined ? first : undefined;
  const [inText, second] = isSenderKnown ? named(text.slice(0, 20_000)) : [];
  return second === undefined ? inText : undefined;
}

/** Whether an item names a project where it may: {@link mentionedProject}. */
export function namesProject({ subject, text }: ItemView, { isSenderKnown }: Known, name: string): boolean {
  return holds(subject, name) || (isSenderKnown && holds(text.slice(0, 20_000), name));
}

/** Whether a text holds a name as words of its own. What follows a word of Korean without a blank is a particle of it. */
export function holds(text: string, name: string): boolean {
  const [within, wanted] = [text, name].map((each) => each.normalize("NFC").toLocaleLowerCase("en"));
  if (within === undefined || wanted === undefined || wanted === "") return false;
  const [first = "", last = ""] = [wanted.at(0), wanted.at(-1)];
  const isLetter = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  for (let at = within.indexOf(wanted); at !== -1; at = within.indexOf(wanted, at + 1)) {
    const begins = unspaced.test(first) || !isLetter(within[at - 1]);
    const ends = unspaced.test(last) || hangul.test(last) || !isLetter(within[at + wanted.length]);
    if (begins && ends) return true;
  }
  return false;
}
