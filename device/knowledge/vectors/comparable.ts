import type { DatabaseSync } from "node:sqlite";
import { type SearchNote, searchNote } from "../search/search-notes.ts";
import { embeddedSoFar, monthOf } from "./index-vectors.ts";
import type { Meaning } from "./question-meaning.ts";
import { loadVectorExtension } from "./vector-extension.ts";

/** With less of an index embedded, what has vectors would stand before what fits better and has none yet. */
const leastShare = 0.9;

/** Whether a question's vector can be compared with those of an index, on this connection; if not, why. */
export function comparableWith(
  connection: DatabaseSync,
  meaning: Meaning,
  project: string,
  nowMs: number,
): { readonly meaning?: Meaning; readonly note?: SearchNote } {
  const { passages, embedded, madeWith } = embeddedSoFar(connection, monthOf(nowMs));
  const isSame = madeWith?.model === meaning.model && madeWith.dimension === meaning.vector.length;
  const done = isSame ? embedded : 0;
  if (done < passages * leastShare) {
    return { note: searchNote("words_not_embedded", { done, passages, project }) };
  }
  const problem = loadVectorExtension(connection, meaning.extension);
  if (problem !== undefined) return { note: searchNote("words_no_extension") };
  return { meaning };
}
