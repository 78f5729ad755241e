import { head } from "../../../shared/llm/shown-text.ts";
import { signalsOf } from "./signals/signals.ts";
import { entries, fold, joined, plainText, withoutAddresses, withoutListTag } from "./text.ts";
import type { MailView } from "./view.ts";

/**
 * A mail as features: signals by name, and the vocabulary (words, word pairs, beginnings of words) by 32-bit hash.
 *
 * Vocabulary features are present or absent and each group has a fixed length, so that a long mail has no louder voice.
 */
export interface Features {
  readonly signals: ReadonlyMap<string, number>;
  readonly vocabulary: Vocabulary;
}

/** Features of a whole mail, and of how it begins. */
export interface MailFeatures extends Features {
  /** Of subject, sender and the text's first {@link beginningCharacters}; of a short mail the same as of the whole. */
  readonly beginning: Features;
}

/** Entries by their hash, each once, with their values. */
export interface Vocabulary {
  readonly keys: Uint32Array;
  readonly values: Float32Array;
}

/** A kind of vocabulary: its key, and the length of its vector in a mail with at least `fullAt` distinct entries. */
interface Group {
  readonly prefix: string;
  readonly length: number;
  readonly fullAt: number;
}

const subjectWords: Group = { prefix: "s ", length: 1.5, fullAt: 8 };
const bodyWords: Group = { prefix: "w ", length: 3, fullAt: 8 };
const bodyPairs: Group = { prefix: "p ", length: 1.5, fullAt: 8 };
/** Of subject and body: a word seldom seen begins like others of its family. */
const beginnings: Group = { prefix: "b ", length: 2, fullAt: 8 };

/** Who writes says in a paragraph what they want; what follows, and what others append, says it less and less. */
const beginningCharacters = 500;

/** FNV-1a over UTF-16 code units, 32 bits, unsigned. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value >>> 0;
}

/** Key of a body word in the vocabulary: lets a reason ask which words weighed. */
export function wordKey(word: string): number {
  return hash(bodyWords.prefix + word);
}

/**
 * Keys of what a mail's subject or text may hold: a word stands in both, a pair of neighbouring words (with a blank) in the text.
 * @internal for who trains the model: test/training
 */
export function keysOfEntry(entry: string): readonly number[] {
  return entry.includes(" ")
    ? [hash(bodyPairs.prefix + entry)]
    : [hash(subjectWords.prefix + entry), hash(bodyWords.prefix + entry)];
}

/** All features of a mail and of its beginning. Pure; linear in the view's length. */
export function mailFeaturesOf(view: MailView): MailFeatures {
  const whole = featuresOf(view);
  if (view.body.length <= beginningCharacters) return { ...whole, beginning: whole };
  return { ...whole, beginning: featuresOf({ ...view, body: head(view.body, beginningCharacters) }) };
}

/** All features of a text as it stands. Pure; linear in the view's length. */
export function featuresOf(view: MailView): Features {
  const subject = fold(joined(plainText(withoutListTag(view.subject)).text));
  const body = fold(withoutAddresses(joined(plainText(view.body).text)));
  const subjectEntries = entries(subject);
  const bodyEntries = entries(body);
  const vocabulary = new Map<number, number>();
  addGroup(vocabulary, subjectWords, new Set(subjectEntries));
  addGroup(vocabulary, bodyWords, new Set(bodyEntries));
  addGroup(vocabulary, bodyPairs, pairsOf(bodyEntries));
  addGroup(vocabulary, beginnings, new Set([...subjectEntries, ...bodyEntries].map(beginningOf)));
  return {
    signals: signalsOf(view),
    vocabulary: { keys: Uint32Array.from(vocabulary.keys()), values: Float32Array.from(vocabulary.values()) },
  };
}

function addGroup(vocabulary: Map<number, number>, group: Group, found: ReadonlySet<string>): void {
  const value = group.length / Math.sqrt(Math.max(found.size, group.fullAt));
  for (const entry of found) vocabulary.set(hash(group.prefix + entry), value);
}

/** A long word without its ending. */
function beginningOf(word: string): string {
  return word.slice(0, word.length > 7 ? 6 : 5);
}

function pairsOf(tokens: readonly string[]): Set<string> {
  return new Set(tokens.slice(1).map((token, index) => `${tokens[index]} ${token}`));
}
