import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keysOfEntry } from "../../../infra/model/triage/features.ts";
import type { KindWords } from "../../../infra/model/triage/kinds/kind-words.ts";
import { type MailKind, mailKinds, unwantedKinds, wantedKinds } from "../../../infra/model/triage/kinds/mail-kinds.ts";

const folder = join(import.meta.dirname, "../ratings");
/** `A2 mortgage, no obligation`: a kind, how strongly, and the words and pairs that speak of it. */
const row = /^(?<kind>[APFplnt])(?<strength>[123]) (?<entries>.+)$/;
const kindOfLetter: ReadonlyMap<string, MailKind> = new Map([
  ["A", "advertising"],
  ["P", "phishing"],
  ["F", "fraud"],
  ["p", "personal"],
  ["l", "list"],
  ["n", "newsletter"],
  ["t", "transactional"],
]);
/** Log-odds of a word said about twice, five times and twenty times as often; the first is often a guess and counts half. */
const oddsOfStrength: ReadonlyMap<string, number> = new Map([
  ["1", 0.3],
  ["2", 1.2],
  ["3", 2.5],
]);
/** What a word has for its own kind alone; the rest is for all wanted or all unwanted kinds. */
const shareOfOwnKind = 0.5;

/** A word or a pair of neighbouring words, of what kind it speaks, and with what log-odds. */
export interface Rating {
  readonly entry: string;
  readonly kind: MailKind;
  readonly odds: number;
}

/**
 * What words say of a mail by general knowledge and not by any collection (`ratings/*.txt`, one file a language or more).
 *
 * @throws Error naming the file and the line that is no rating
 */
export function ratings(): Rating[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  return files.sort().flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .trimEnd()
      .split("\n")
      .flatMap((line, at) => ratingsOf(line, `${file}, line ${at + 1}`)),
  );
}

function ratingsOf(line: string, place: string): Rating[] {
  const { kind: letter = "", strength = "", entries = "" } = row.exec(line)?.groups ?? {};
  const kind = kindOfLetter.get(letter);
  const odds = oddsOfStrength.get(strength);
  if (kind === undefined || odds === undefined) throw new Error(`${place}: "${line}" is no rating`);
  return entries.split(", ").map((entry) => ({ entry, kind, odds }));
}

/** Weights of rated words before any mail is learned from, in the order of {@link mailKinds}, by the word's hash. */
export function ratedWords(): ReadonlyMap<number, readonly number[]> {
  const rated = new Map<number, readonly number[]>();
  for (const { entry, kind, odds } of ratings()) {
    const side = unwantedKinds.includes(kind) ? unwantedKinds : wantedKinds;
    const weights = mailKinds.map(
      (each) => odds * ((each === kind ? shareOfOwnKind : 0) + (side.includes(each) ? 1 - shareOfOwnKind : 0)),
    );
    for (const key of keysOfEntry(entry)) rated.set(key, weights);
  }
  return rated;
}

/** What rated words say by themselves, each kind being as likely as another before any is read. */
export function knownWords(rated: ReadonlyMap<number, readonly number[]>): KindWords {
  return {
    intercepts: new Float32Array(mailKinds.length),
    rows: new Map([...rated.keys()].map((key, place) => [key, place * mailKinds.length])),
    weights: Float32Array.from([...rated.values()].flat()),
  };
}
