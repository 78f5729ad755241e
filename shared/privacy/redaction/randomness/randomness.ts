import { letterPairs } from "./letter-pairs.ts";

/** Shannon entropy in bits per character. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** Longer texts are judged by their beginning. */
const judgedChars = 200;
const kinds = { lower: 0, upper: 1, digit: 2, other: 3 } as const;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return kinds.lower;
  if (code >= 65 && code <= 90) return kinds.upper;
  if (code >= 48 && code <= 57) return kinds.digit;
  return kinds.other;
}

/**
 * Bits by which a step from one kind of character to the next is likelier in names and words than in random text:
 * rows lower, upper, digit, other; columns the kind that follows. Words keep their case, a capital begins one, digits
 * stand together.
 */
const steps = [
  [0.5, -1.6, -2.2, 0.8],
  [0.6, 0.4, -2, 0.8],
  [-2.2, -2, 0.5, 0.8],
  [0.4, 0.2, 0.2, 0.4],
] as const;

/**
 * How random a text looks, in bits: above nought it is likelier drawn than written. The logarithm of a likelihood ratio:
 * which letter follows which, and where letters, digits and case change.
 */
export function randomBits(text: string): number {
  let wordBits = 0;
  const end = Math.min(text.length, judgedChars);
  for (let at = 1; at < end; at++) {
    const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
    const [from, to] = [kindOf(before), kindOf(after)];
    wordBits += steps[from as 0 | 1 | 2 | 3][to as 0 | 1 | 2 | 3];
    if (from > kinds.upper || to > kinds.upper) continue;
    const pair = letterPairs[(before | 32) - 97]?.charCodeAt((after | 32) - 97) ?? 77;
    wordBits += (pair - 77) / 4;
  }
  return -wordBits;
}

/** `0123456789`, `abcdef`: a run of at least five characters, each one above the last. */
export function withoutSequences(text: string): string {
  let kept = "";
  let start = 0;
  for (let at = 1; at <= text.length; at++) {
    if (at < text.length && follows(text.charCodeAt(at - 1), text.charCodeAt(at))) continue;
    if (at - start < 5) kept += text.slice(start, at);
    start = at;
  }
  return kept;
}

const follows = (before: number, after: number) => after - before === 1 || (before === 57 && after === 48);
