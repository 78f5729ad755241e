import type { Vocabulary } from "../features.ts";
import { type MailKind, mailKinds, unwantedKinds, wantedKinds } from "./mail-kinds.ts";

/**
 * What words say by themselves of a mail's kind: a linear model of the seven kinds (softmax). Whether a mail is unwanted is what
 * the unwanted kinds have together against the wanted ones: a word of a bank's notices speaks for a forged one as well, and not
 * for advertising.
 */
export interface KindWords {
  /** Log-odds of each kind, in the order of {@link mailKinds}, of a mail without a word. */
  readonly intercepts: Float32Array;
  /** Where a word's weights begin, by its hash. */
  readonly rows: ReadonlyMap<number, number>;
  /** A weight for each kind, word after word. */
  readonly weights: Float32Array;
}

/** What all entries of a mail say for each kind, up to a constant; entries the model does not know count nothing. */
export function oddsOfKinds(
  { intercepts, rows, weights }: KindWords,
  { keys, values }: Vocabulary,
): ReadonlyMap<MailKind, number> {
  const odds = Float64Array.from(intercepts);
  for (let index = 0; index < keys.length; index += 1) {
    const row = rows.get(keys[index] ?? 0);
    if (row === undefined) continue;
    const value = values[index] ?? 0;
    for (let kind = 0; kind < odds.length; kind += 1) {
      odds[kind] = (odds[kind] ?? 0) + (weights[row + kind] ?? 0) * value;
    }
  }
  return new Map(mailKinds.map((kind, place) => [kind, odds[place] ?? 0]));
}

/** Log-odds of spam by all entries of a mail. */
export function wordOdds(words: KindWords, vocabulary: Vocabulary): number {
  const odds = oddsOfKinds(words, vocabulary);
  return logSum(odds, unwantedKinds) - logSum(odds, wantedKinds);
}

/** Which way one word moves the log-odds of spam, and how far: the slope there, of a mail without a word. */
export function oddsOfWord({ intercepts, rows, weights }: KindWords, key: number): number {
  const row = rows.get(key);
  if (row === undefined) return 0;
  const slopeOf = (kinds: readonly MailKind[]): number => {
    const places = kinds.map((kind) => mailKinds.indexOf(kind));
    const shares = places.map((place) => Math.exp(intercepts[place] ?? 0));
    const total = shares.reduce((sum, share) => sum + share, 0);
    return places.reduce((sum, place, at) => sum + ((shares[at] ?? 0) / total) * (weights[row + place] ?? 0), 0);
  };
  return slopeOf(unwantedKinds) - slopeOf(wantedKinds);
}

/** The logarithm of the sum of what some kinds weigh, without overflow. */
function logSum(odds: ReadonlyMap<MailKind, number>, kinds: readonly MailKind[]): number {
  const own = kinds.map((kind) => odds.get(kind) ?? 0);
  const most = Math.max(...own);
  return most + Math.log(own.reduce((sum, each) => sum + Math.exp(each - most), 0));
}
