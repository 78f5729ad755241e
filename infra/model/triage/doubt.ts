import { type Features, wordKey } from "./features.ts";
import { conceptCounts } from "./lexicon/concepts.ts";
import type { LinearModel } from "./linear-model.ts";
import { masqueradeOdds } from "./masquerade.ts";
import { fold, plainText, words } from "./text.ts";
import type { MailView } from "./view.ts";

/**
 * The most the model says against a mail it cannot read: below the confidence from which the product hides a mail (0.8),
 * so that such a mail is shown.
 */
export const mostWhenUnsure = 0.75;
/**
 * Of a text's distinct words, the share the weights must know. English mail has 0.6 and more; other languages in Latin
 * letters reach 0.1 to 0.35 by names and short words that look alike.
 */
const fewestKnown = 0.15;
/** Concepts are written in a dozen languages; a text with three of them is in one of those. */
const fewestConcepts = 3;
/** Log-odds of disguise alone, 7 to 1: whoever hides letters or borrows a name is understood without the words. */
const overwhelming = 2;

/**
 * Whether the model has too little to accuse a mail: no sender, no subject, a script or language its weights hardly know
 * (then only the mail's form is left, which is learned from English mail), and no disguise that speaks for itself.
 */
export function isUnsure(view: MailView, model: LinearModel, { signals }: Features): boolean {
  return masqueradeOdds(signals) < overwhelming && !isUnderstood(view, model);
}

/** Whether a mail has a sender and a subject, and is in a script and a language that the weights know. */
export function isUnderstood(view: MailView, model: LinearModel): boolean {
  const isMissing = (text: string): boolean => !/[\p{L}\p{N}]/u.test(text);
  return !isMissing(view.sender) && !isMissing(view.subject) && isReadable(`${view.subject}\n${view.body}`, model);
}

function isReadable(text: string, model: LinearModel): boolean {
  const folded = fold(plainText(text).text);
  const letters = folded.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0 || (folded.match(readable)?.length ?? 0) < letters / 2) return false;
  const concepts = conceptCounts(folded).size;
  if ((folded.match(/\p{Script=Latin}/gu)?.length ?? 0) < letters / 2) return concepts >= fewestConcepts;
  // Single letters are words in many languages.
  const distinct = new Set(words(folded).filter((word) => /\p{L}{2}/u.test(word)));
  const known = [...distinct].filter((word) => model.vocabulary.has(wordKey(word))).length;
  return (distinct.size > 0 && known >= fewestKnown * distinct.size) || concepts >= fewestConcepts;
}

/** Scripts of the languages the lexicon is written in. */
const readable =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
