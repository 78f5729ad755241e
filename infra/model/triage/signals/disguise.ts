import { matchers } from "../lexicon/concepts.ts";
import { persuasion } from "../lexicon/lexicon.ts";
import { trades } from "../lexicon/trades.ts";
import type { PlainText } from "../text.ts";
import { count, type Setter, saturate } from "./signal.ts";

/** How letters and words are hidden from filters. */
export function disguiseSignals(set: Setter, subject: PlainText, body: PlainText): void {
  set("mixed scripts in subject", subject.mixedWords > 0 ? 1 : 0);
  set("mixed scripts in body", body.mixedWords > 1 ? 1 : 0);
  set("styled letters", subject.styledLetters + body.styledLetters > 3 ? 1 : 0);
  set(
    "letters spaced out",
    /\b(?:\p{L}[ ._*-]){4,}\p{L}\b/u.test(`${subject.text} ${body.text.slice(0, 500)}`) ? 1 : 0,
  );
  set(
    "digits in words",
    saturate(
      count(`${subject.text} ${body.text.slice(0, 800)}`, /(?<![\p{L}\w/.-])\p{L}{2,}[013$@]\p{L}{2,}(?![\w/.])/gu),
      2,
    ),
  );
  const tail = /(?<=[\s([#:-])[a-z0-9]+(?=[)\]]?$)/i.exec(subject.text)?.[0] ?? "";
  set("random tail of subject", /\d[a-z]+\d/i.test(tail) || /\s\d{5,}\)?$/.test(subject.text) ? 1 : 0);
}

/**
 * Letters and what is put for them made one: `v1agra`, `clalis` and `viagra`, `cialis` look the same. A word that looks like
 * a word of advertising and is not it was disguised.
 */
export function lookOf(word: string): string {
  return onceEach(sameLetters(word));
}

/** Each letter, digit or sign as the letter it looks like: as long as before. */
export function sameLetters(text: string): string {
  return text
    .replace(/[l1|!j]/g, "i")
    .replace(/0/g, "o")
    .replace(/[@4]/g, "a")
    .replace(/[$5]/g, "s")
    .replace(/3/g, "e")
    .replace(/v/g, "u");
}

/** A letter said twice or more, said once. */
export function onceEach(text: string): string {
  return text.replace(/(.)\1+/g, "$1");
}

const disguisable = [
  "drug",
  "pharma",
  "adult",
  "gambling",
  "software",
  "luxury",
  "loan",
  "stock",
  "discount",
  "free",
] as const;
export const plainWords: ReadonlySet<string> = new Set(matchers.flatMap(({ exact, stems }) => [...exact, ...stems]));
const looksOf = (names: readonly string[]): Set<string> =>
  new Set(
    matchers
      .filter(({ concept }) => names.includes(concept))
      .flatMap(({ exact, stems }) => [...exact, ...stems])
      .filter((word) => word.length > 4 && /^[a-z]+$/.test(word))
      .map(lookOf),
  );
const looks = looksOf(disguisable);
/** Names no word of another language looks like. */
const drugLooks = looksOf(["drug"]);

/** Words in which `i` and `l` are put for each other look the same (`prlces`, `miiiion`); nobody writes them in any language (but `poštni`, of the mail). */
const swapOf = (word: string): string => word.replace(/[il1|!]/g, "i");
const swappable = new Map(
  [
    ...[...plainWords].filter(
      (word) => word.length > 5 && /^[a-z]+$/.test(word) && /[il]/.test(word) && word !== "postnl",
    ),
    ..."online shipping million millions quality confidential delivery solution solutions available special specials limited application financial medication medications original click prices price pills ship reliable similar multiple official profile single family client clients".split(
      " ",
    ),
  ].map((word) => [swapOf(word), word] as const),
);
const meantWords = new Set(swappable.values());
/** What advertising, phishing and fraud are about, and who writes them has a reason to take apart; `data.frame` is one of R's types. */
const hidden: ReadonlySet<string> = new Set([...persuasion, ...disguisable, ...Object.keys(trades)]);
export const dividedWords: ReadonlySet<string> = new Set([
  ...meantWords,
  ...matchers.filter(({ concept }) => hidden.has(concept)).flatMap(({ exact, stems }) => [...exact, ...stems]),
]);

const withoutCalls = (word: string): string => word.replace(/(?<!!)!+$/, "");

/** Words with such letters, and words a sign stands in: `f.ree`, `fa.mily`, `dol~lars`. */
function alteredWords(text: string): number {
  const swapped = (text.match(/(?<![\w@./-])[a-z1|!]{5,20}(?![\w@/-])/g) ?? []).filter((word) => {
    if (!/[a-z]{2}/.test(word) || plainWords.has(word) || meantWords.has(word)) return false;
    const meant = swappable.get(swapOf(word));
    return meant !== undefined && meant !== withoutCalls(word);
  });
  const split = [...text.matchAll(/(?<![\w@./:~_-])([a-z]{1,9})[.~*_^`]([a-z]{2,10})(?![\w@/:~_-]|\.[a-z])/g)].filter(
    ([, head = "", tail = ""]) =>
      head.length + tail.length > 3 && dividedWords.has(head + tail) && !(plainWords.has(head) && plainWords.has(tail)),
  );
  return new Set(swapped).size + new Set(split.map(([word]) => word)).size;
}

/** Words nobody could say: `rrsjfpp`, `kwxtlm`. */
export function unsayable(text: string): number {
  return (
    text
      .replace(/\S+/g, (word) => (/\/\/|www\.|@/.test(word) ? " " : word))
      .match(/(?<![\w.@/-])[a-z]{0,12}[bcdfghjklmnpqrstvwxz]{5,12}[a-z]{0,12}(?![\w.@/-])/g)?.length ?? 0
  );
}

/** How many words are written so that a filter does not know them: each spelling once. @param text in lower case */
export function disguisedWords(text: string): number {
  const found = text.match(/[a-z0-9@$|!]{5,20}/g) ?? [];
  const disguised = new Set(
    found.filter((word) => {
      if (!/[a-z]/.test(word) || plainWords.has(word)) return false;
      const bare = withoutCalls(word);
      return (/^[a-z]+$/.test(bare) ? drugLooks : looks).has(lookOf(bare));
    }),
  );
  return disguised.size + alteredWords(text);
}
