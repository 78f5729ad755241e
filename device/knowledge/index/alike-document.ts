import type { PreparedStatements } from "../../store/sqlite/prepared-statements.ts";
import type { IndexedText } from "../text/indexed-text.ts";

interface ReadDocument {
  readonly path: string;
  readonly hash: string;
  readonly about: string;
  readonly text: IndexedText | null;
}

/**
 * The first passage of a document that is in an index with this content and is cut at the same places: what its passages
 * mean is the same, so their vectors, which cost tokens, may stay.
 */
export function whereItIsAlike(
  statements: PreparedStatements,
  { path, hash, about, text }: ReadDocument,
): number | undefined {
  const row = statements
    .get("SELECT hash, about, title, chars, sketch, first, count FROM documents WHERE path = ?")
    .get(path);
  const { title = "", passages = [], chars = 0, sketch = new Uint8Array(0) } = text ?? {};
  if (row?.["hash"] !== hash || row["about"] !== about || row["title"] !== title || row["chars"] !== chars) return;
  const before = row["sketch"];
  if (!(before instanceof Uint8Array) || Buffer.compare(before, sketch) !== 0) return;
  const [first, count] = [Number(row["first"]), Number(row["count"])];
  const places = statements
    .get("SELECT start, end, heading FROM passages WHERE id > ? AND id < ? ORDER BY id")
    .all(first, first + count);
  const isAlike =
    places.length === passages.length &&
    passages.every(({ start, end, heading }, at) => {
      const place = places[at];
      return place?.["start"] === start && place["end"] === end && place["heading"] === heading;
    });
  return isAlike ? first : undefined;
}
