import { dictionaryWords } from "../../knowledge/text/words.ts";
import type { StoredProposal } from "../../store/schema.ts";

/** How many places the words of subjects share: more words than a person's mail has make them collide, not grow. */
const wordPlaces = 512;
const mostWords = 20;

/** What is known of a sender and a conversation beside the proposal itself. */
export interface Company {
  /** The person's people, approved before, or of a conversation of which something was. */
  readonly isSenderKnown: boolean;
  /** Something of its conversation was approved. */
  readonly isThreadMine: boolean;
}

/** What of a proposal is learned from. */
export type LearnedFrom = Pick<StoredProposal, "metadata" | "payload" | "category" | "rawSubject" | "reasonCode">;

/** The features of a proposal, by names a person can read; words of its subject by the place their hash gives them. */
export function featuresOf(row: LearnedFrom, { isSenderKnown, isThreadMine }: Company): readonly string[] {
  const { metadata, payload, category, rawSubject } = row;
  const found = [
    isSenderKnown ? "sender known" : "sender not known",
    ...(isThreadMine ? ["conversation you took part in"] : []),
    ...(metadata === null ? [] : [relationNames[metadata.relation]]),
    ...(metadata?.automatic ? ["sent by a program"] : []),
    ...(payload !== null && (payload.due !== null || payload.start !== null) ? ["has a day"] : []),
    ...(metadata?.attachments !== undefined && metadata.attachments.length > 0 ? ["has files"] : []),
    `kind: ${category.replaceAll("_", " ")}`,
    `why: ${row.reasonCode.replaceAll("_", " ")}`,
    ...(metadata === null || metadata.sender.address === "" ? [] : [`from ${metadata.sender.address.toLowerCase()}`]),
  ];
  return [...found, ...wordsOf(rawSubject ?? "").map((word) => `word ${placeOf(word)}`)];
}

const relationNames = {
  to: "to you",
  cc: "to you in copy",
  list: "to a list",
  bulk: "to many alike",
  unknown: "not known to whom",
} as const;

/** Scripts whose words stand without spaces, or say much in two characters. */
const dense =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

function wordsOf(subject: string): string[] {
  const runs =
    subject
      .normalize("NFKC")
      .toLowerCase()
      .match(/\p{L}[\p{L}\p{M}ー]*/gu) ?? [];
  const words = runs.flatMap((run) =>
    dense.test(run) ? dictionaryWords(run).filter((word) => [...word].length > 1) : (run.match(/\p{L}{3,}/gu) ?? []),
  );
  return [...new Set(words)].slice(0, mostWords);
}

/** FNV-1a, 32 bits: the same on every device and in every version. */
function placeOf(word: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(word, "utf8")) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash % wordPlaces;
}
