import { folded } from "../../../store/sqlite/folded-text.ts";
import type { Query, Term } from "../parse-query.ts";
import { isEmptyWord } from "./empty-words.ts";

/** A piece of an FTS5 expression that stands for one thing that is looked for. */
export interface Part {
  /** Exactly this. */
  readonly exact: string;
  /** Or another form of the word; undefined when there is none. */
  readonly form: string | undefined;
  /** As the vocabulary has it, for a single word. */
  readonly token: string | undefined;
}

/** Endings that other forms of a word have in place of its own, longest first; a stem keeps four letters. */
const endings =
  "ations ation ations ungen ciones zioni tions ments ement ments ities ingen ings ción zione tion ment ity ung ies ied ing ers est aux eux en er es em ed ly al os as is us um e n s y a o i x t".split(
    " ",
  );
const minStem = 4;
const latin = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]+$/u;

/** FTS5 takes what is in double quotes as text, whatever it is. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Everything that must be in a passage: each word in one of its forms, each phrase as it stands. */
export function partsOf(terms: readonly Term[]): Part[] {
  return terms.flatMap((term) => (term.isPhrase ? [phrase(term)] : wordsOf(term)));
}

/** What a question is about: the words that name something, each once; all of them when none does. */
export function namingParts(terms: readonly Term[]): Part[] {
  const all = terms.flatMap((term) => (term.isPhrase ? [phrase(term)] : looseWordsOf(term)));
  const naming = all.filter(({ token }) => token === undefined || !isEmptyWord(token));
  const distinct = new Map((naming.length > 0 ? naming : all).map((part) => [part.exact.toLowerCase(), part]));
  return [...distinct.values()];
}

function phrase({ words }: Term): Part {
  const tokens = words.flatMap((word) => word.tokens);
  const isPrefix = words.length === 1 && words[0]?.isPrefix === true;
  return { exact: `${quoted(tokens.join(" "))}${isPrefix ? " *" : ""}`, form: undefined, token: undefined };
}

function wordsOf({ words }: Term): Part[] {
  return words.map(({ tokens, isPrefix }) => {
    const [only = "", ...more] = tokens;
    if (isPrefix) return { exact: `${quoted(only)} *`, form: undefined, token: undefined };
    return more.length > 0 ? { exact: quoted(tokens.join(" ")), form: undefined, token: undefined } : single(only);
  });
}

/** Of a run without spaces any two characters may be what is meant. */
function looseWordsOf({ words }: Term): Part[] {
  return words.flatMap(({ tokens, isPrefix }) =>
    isPrefix ? [{ exact: `${quoted(tokens[0] ?? "")} *`, form: undefined, token: tokens[0] }] : tokens.map(single),
  );
}

function single(token: string): Part {
  const stem = stemOf(token);
  return { exact: quoted(token), form: stem === undefined ? undefined : `${quoted(stem)} *`, token: folded(token) };
}

/** The beginning that forms of a word share; undefined for one that is too short. */
export function stemOf(token: string): string | undefined {
  const word = token.toLowerCase();
  if (!latin.test(word) || word.length <= minStem) return undefined;
  const ending = endings.find((each) => word.endsWith(each) && word.length - each.length >= minStem);
  return ending === undefined ? word : word.slice(0, word.length - ending.length);
}

const formsOf = ({ exact, form }: Part): string => (form === undefined ? exact : `(${exact} OR ${form})`);

/** Passages with all of these. */
export const allOf = (parts: readonly Part[]): string => parts.map(formsOf).join(" AND ");

/** Passages with any of these; a word as it was typed counts twice where it stands so. */
export const anyOf = (parts: readonly Part[]): string => parts.map(formsOf).join(" OR ");

/** What is in quotes, or is not wanted, as it stands. */
export const phraseOf = (term: Term): string => phrase(term).exact;

/** The expression without what is not wanted, and with what is in quotes in any case. */
export function narrowed(expression: string, { wanted, unwanted }: Query): string {
  const phrases = wanted.filter(({ isPhrase }) => isPhrase).map(phraseOf);
  const required = [`(${expression})`, ...phrases].join(" AND ");
  const without = unwanted.map(phraseOf);
  return without.length === 0 ? required : `(${required}) NOT (${without.join(" OR ")})`;
}
