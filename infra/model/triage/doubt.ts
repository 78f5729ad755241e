import { type Features, wordKey } from "./features.ts";
import { wordOdds } from "./kinds/kind-words.ts";
import { conceptCounts } from "./lexicon/concepts.ts";
import type { LinearModel } from "./linear-model.ts";
import { masqueradeOdds } from "./masquerade.ts";
import { namedOdds } from "./signals/evidence.ts";
import { formOdds } from "./signals/form-odds.ts";
import { entries, fold, plainText } from "./text.ts";
import type { MailView } from "./view.ts";

/**
 * The most the model says against a mail it cannot read: below the confidence from which the product hides a mail (0.8),
 * so that such a mail is shown.
 */
export const mostWhenUnsure = 0.75;
/**
 * Of a text's distinct words (of Chinese, Japanese and Korean, neighbouring characters), the share the weights must know. English
 * mail has 0.6 and more; languages that nothing was learned from reach 0.1 to 0.35 by names and short words that look alike.
 */
const fewestKnown = 0.15;
/** Concepts are written in a dozen languages; a text with three of them is in one of those. */
const fewestConcepts = 3;
/** Log-odds of disguise alone, 7 to 1: whoever hides letters or borrows a name is understood without the words. */
const overwhelming = 2;
/** Log-odds that can be named: with less a mail is suspect by its tone and its unnamed words, which is no ground. */
const fewestNamed = 0.6;
/** Of what rated words say against a mail so much counts as named: general knowledge knows them, but each says little. */
const shareOfRated = 0.2;
/** Whoever takes English words apart, or puts rare ones beside an offer, writes no unknown language: the weights know few words of theirs for that. */
const hiding = ["unrelated words", "jumbled words", "broken words"];
const leastHiding = 0.5;
/**
 * A text that speaks to a program and not to a person was put there for whoever judges the mail; it may be another's than the
 * mail's sender, and its words are no evidence against them. 30 to 1 by name stands all the same.
 */
const fewestBesideOrders = 3.5;
const toMachine = new RegExp(
  [
    /\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|prompts?|rules|told|above)\b/,
    /\b(?:system|new|your|previous|following|secret|these) (?:prompt|instructions?)\b|\binstructions?:/,
    /\b(?:system|user|assistant):|["']role["']\s*:|<\/?(?:e-?mail|system|user|instructions?|data|document)\b[^>]{0,20}>|<\|\w{1,20}\|>/,
    /\bas an ai\b|\b(?:ai|language) (?:assistant|model)\b|\b(?:only|just) (?:with )?the (?:single )?word\b|\byou are now\b/,
    /\b(?:ignorier|missacht|vergiss)\w{0,8}.{0,40}(?:anweisung|befehl|regel)|\b(?:ignor|oubli|olvid|esque|negeer|zignoruj)\w{0,8}.{0,40}(?:instru|istruz|polece)/,
    /игнориру.{0,40}(?:инструкц|указан)|(?:忽略|无视|無視).{0,12}(?:指令|指示|说明)|(?:指示|命令).{0,12}無視|(?:지시|명령).{0,12}무시/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "iu",
);

/**
 * Whether the model has too little to accuse a mail: little or nothing it could name against it, no sender, no subject, a
 * script or language its weights hardly know (then only the mail's form is left, which is learned from English mail), and no
 * disguise that speaks for itself. Of a report that a mail was not delivered the words are those of the mail, mostly its reader's own:
 * they accuse nobody, however much they say, and who is not told has lost what they sent.
 */
export function isUnsure(view: MailView, model: LinearModel, { signals, vocabulary }: Features): boolean {
  if (view.traits?.includes("undelivered")) return true;
  if (masqueradeOdds(signals) >= overwhelming) return false;
  const needed = toMachine.test(`${view.subject}\n${view.body}`) ? fewestBesideOrders : fewestNamed;
  const rated = shareOfRated * Math.max(0, wordOdds(model.ratings, vocabulary));
  const named = namedOdds(model.signals, signals).accusing + formOdds(view).accusing + rated;
  if (named < needed || lacksHead(view)) return true;
  return !hiding.some((name) => (signals.get(name) ?? 0) >= leastHiding) && !isReadable(textOf(view), model);
}

/** Whether a mail has a sender and a subject, and is in a script and a language that the weights know. */
export function isUnderstood(view: MailView, model: LinearModel): boolean {
  return !lacksHead(view) && isReadable(textOf(view), model);
}

/** Whether a mail has no sender or no subject. */
function lacksHead({ sender, subject }: MailView): boolean {
  return [sender, subject].some((text) => !/[\p{L}\p{N}]/u.test(text));
}

const textOf = ({ subject, body }: MailView): string => `${subject}\n${body}`;

function isReadable(text: string, model: LinearModel): boolean {
  const folded = fold(plainText(text).text);
  const letters = folded.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0 || (folded.match(readable)?.length ?? 0) < letters / 2) return false;
  // Single letters are words in many languages.
  const distinct = new Set(entries(folded).filter((word) => /\p{L}{2}/u.test(word)));
  const known = [...distinct].filter((word) => model.words.rows.has(wordKey(word))).length;
  if (distinct.size > 0 && known >= fewestKnown * distinct.size) return true;
  return conceptCounts(folded).size >= fewestConcepts;
}

/** Scripts of the languages the lexicon is written in. */
const readable =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
