import { entries, fold, plainText } from "./text.ts";
import type { MailView } from "./view.ts";

/** Log-odds by which each word of the purpose that stands in a mail moves its verdict. */
const oddsOfWord = 0.6;
/** The most a purpose moves a verdict, either way: by itself it hides nothing that reads like a letter. */
const mostOdds = 1.5;
/** Shorter words mean little by themselves, except in scripts where two characters are a word. */
const fewestLetters = 4;
/** Words are compared by their beginnings: `invoice` and `invoices`, `Rechnung` and `Rechnungen`. */
const stemLetters = 6;

/** After these, up to the end of the clause, stands what the person does not want. */
const refusals =
  /^(?:no|not|never|without|except|ignore|hide|skip|nothing|kein\w*|nicht|ohne|nichts|ausser|pas|sans|sauf|aucun\w*|sin|salvo|ningun\w*|non|senza|tranne|nessun\w*|sem|exceto|nenhum\w*|geen|niet|zonder|behalve|nie|bez|oprocz|не|без|кроме|不要|没有|除了)$/;

/** Words any purpose has. */
const usual = new Set(
  "show tell what should read that this with from about only anything everything mail mails email emails message messages inbox people person want wants need needs matters matter important know when which please things thing them they have where your mine keep attention deserves worth something someone somebody alles eine einen einer oder über alle meine mich mails nachrichten zeige sage wichtig wichtige wichtiges dass wenn tout tous quoi montre dites pour avec important importants messages todo todos muestra para como importante importantes mensajes tutto mostra messaggi importanti tudo mensagens alles berichten belangrijk toon".split(
    " ",
  ),
);

/**
 * What a scout's purpose says of a mail, as log-odds of spam: words it asks for lower them, words it refuses raise them.
 * The built-in model understands no sentence; it sees which of the words are in the mail.
 */
export function purposeOdds(purpose: string, { subject, sender, body }: MailView): number {
  const asked = new Set<string>();
  const refused = new Set<string>();
  for (const clause of fold(plainText(purpose).text).split(
    /[.,;:!?()\n]| but | aber | mais | pero | ma | mas | maar /,
  )) {
    let target = asked;
    for (const word of clause.split(/[^\p{L}\p{N}]+/u)) {
      if (refusals.test(word)) target = refused;
      else for (const stem of stemsOf(word)) target.add(stem);
    }
  }
  const said = new Set(entries(fold(plainText(`${subject} ${sender} ${body}`).text)).flatMap(stemsOf));
  const found = (stems: ReadonlySet<string>): number => [...stems].filter((stem) => said.has(stem)).length;
  const odds = oddsOfWord * (found(refused) - found(asked));
  return Math.max(-mostOdds, Math.min(mostOdds, odds));
}

function stemsOf(word: string): string[] {
  if (/^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(word)) return entries(word);
  if (word.length < fewestLetters || usual.has(word) || /^\d/.test(word)) return [];
  return [word.replace(/(?<=\p{L}{4})(?:en|es|s|e|n)$/u, "").slice(0, stemLetters)];
}
