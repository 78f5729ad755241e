import { signalsOf } from "./signals.ts";
import { fold, plainText, withoutListTag, words } from "./text.ts";
import type { MailView } from "./view.ts";

/**
 * A mail as features: signals by name, and the vocabulary (words, word pairs, character runs) by 32-bit hash.
 *
 * Vocabulary features are present or absent and each group has a fixed length, so that a long mail has no louder voice.
 */
export interface Features {
  readonly signals: ReadonlyMap<string, number>;
  readonly vocabulary: ReadonlyMap<number, number>;
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
const bodyRuns: Group = { prefix: "c ", length: 3, fullAt: 20 };
const senderRuns: Group = { prefix: "f ", length: 1.5, fullAt: 20 };

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

/** All features of a mail. Pure; linear in the view's length. */
export function featuresOf(view: MailView): Features {
  const subject = fold(plainText(withoutListTag(view.subject)).text);
  const body = fold(plainText(view.body).text);
  const sender = fold(plainText(view.sender).text);
  const bodyTokens = words(body);
  const vocabulary = new Map<number, number>();
  addGroup(vocabulary, subjectWords, new Set(words(subject)));
  addGroup(vocabulary, bodyWords, new Set(bodyTokens));
  addGroup(vocabulary, bodyPairs, pairsOf(bodyTokens));
  addGroup(vocabulary, bodyRuns, runsOf(withoutDigits(body), [4]));
  addGroup(vocabulary, senderRuns, runsOf(withoutDigits(sender), [3, 4]));
  return { signals: signalsOf(view), vocabulary };
}

function addGroup(vocabulary: Map<number, number>, group: Group, entries: ReadonlySet<string>): void {
  const value = group.length / Math.sqrt(Math.max(entries.size, group.fullAt));
  for (const entry of entries) vocabulary.set(hash(group.prefix + entry), value);
}

function pairsOf(tokens: readonly string[]): Set<string> {
  return new Set(tokens.slice(1).map((token, index) => `${tokens[index]} ${token}`));
}

function withoutDigits(text: string): string {
  return text.replace(/\d/g, "0").replace(/ {2,}/g, " ");
}

function runsOf(text: string, lengths: readonly number[]): Set<string> {
  const runs = new Set<string>();
  for (const length of lengths) {
    for (let start = 0; start + length <= text.length; start += 1) runs.add(text.slice(start, start + length));
  }
  return runs;
}
