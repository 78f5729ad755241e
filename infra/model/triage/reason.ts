import { maxReasonCharacters } from "../../../events/proposals/verdict.ts";
import { traitTexts } from "../../../shared/scouts/connectors/mail/form/trait-texts.ts";
import { wordKey } from "./features.ts";
import { oddsOfWord } from "./kinds/kind-words.ts";
import { conceptCounts } from "./lexicon/concepts.ts";
import type { LinearModel } from "./linear-model.ts";
import { tellingTrait } from "./signals/form-odds.ts";
import { fold, plainText, withoutAddresses, words } from "./text.ts";
import type { MailView } from "./view.ts";

const maxQuoteCharacters = 90;
const maxSenderCharacters = 60;
/** A line of the body with fewer says too little to be quoted. */
const fewestWords = 3;
/** Not after a day or another number in order, as many languages write it: "am 3. Dezember". */
const sentenceEnd = /\n|(?<=[.!?])(?<!(?<!\d)\d{1,2}\.)\s/;
/** Somebody else's words, or the line that introduces them. */
const quoted = /^[>|]|(?:wrote|schrieb|écrit|escribió|escreveu)\s?:$/;

/**
 * Why, in the mail's own words: the line that weighed most towards the verdict, and the sender; of what is not trusted, what its
 * form tells against it most, and of all mail that its sender's address may be forged.
 *
 * @returns at most {@link maxReasonCharacters} characters
 */
export function reasonOf(view: MailView, model: LinearModel, spam: boolean, unsure = false): string {
  const verdict = unsure ? "May be unwanted, hard to tell" : spam ? "Looks unwanted" : "Looks wanted";
  const sender = shorten(view.sender, maxSenderCharacters);
  const from = sender === "" ? "" : ` from ${sender}`;
  const quote = tellingLine(view, model, spam ? 1 : -1);
  if (quote === "") return `${verdict}: an empty mail${from}`;
  const trait = tellingTrait(view, spam || unsure);
  const form = trait === undefined ? "" : `; it ${traitTexts[trait]}`;
  return shorten(`${verdict}: “${quote}”${from}${form}`, maxReasonCharacters);
}

function tellingLine(view: MailView, model: LinearModel, direction: 1 | -1): string {
  const lines = [view.subject, ...view.body.split(sentenceEnd)].map((line) => line.trim()).slice(0, 80);
  let telling = "";
  let most = Number.NEGATIVE_INFINITY;
  for (const [index, line] of lines.entries()) {
    const folded = fold(withoutAddresses(plainText(line).text));
    const tokens = new Set(words(folded));
    if (tokens.size === 0 || (index > 0 && (tokens.size < fewestWords || quoted.test(line)))) continue;
    let weight = 0;
    for (const token of tokens) weight += oddsOfWord(model.words, wordKey(token));
    for (const concept of conceptCounts(folded).keys()) weight += model.signals.get(`concept:${concept}`) ?? 0;
    // The mean alone would favour single words, the sum long lines.
    const reached = (direction * weight) / Math.sqrt(tokens.size + 3);
    if (reached > most) {
      most = reached;
      telling = line;
    }
  }
  return shorten(telling.replace(/\s+/g, " "), maxQuoteCharacters);
}

function shorten(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text.toWellFormed();
  const cut = text.slice(0, maxCharacters - 1);
  // Not through a surrogate pair.
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
