import type { ProjectFiles } from "../../files/project-files.ts";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";
import { openIndexToRead } from "../index/index-file.ts";
import type { FoundDocument } from "../search/index/index-rows.ts";
import { IndexSearch } from "../search/index/index-search.ts";
import { PassageTexts } from "../search/passage-texts.ts";

/** A document with passages that have no vector. */
export interface UnembeddedDocument {
  readonly document: FoundDocument;
  /** Ids of those passages. */
  readonly ids: readonly number[];
}

/** Text of a passage as the embedding model is given it: what the index has of it, in its words. */
export interface PassageToEmbed {
  readonly document: FoundDocument;
  readonly id: number;
  readonly text: string;
}

/** Documents looked up at a time. */
const atOnce = 32;

/** Documents with passages that have no vector, in the order of their passages. @param after the `first` of the last one */
export function unembeddedAfter(path: string, after: number): UnembeddedDocument[] {
  const connection = openIndexToRead(path);
  if (connection === undefined) return [];
  const index = new IndexSearch(connection);
  try {
    const missing = "SELECT 1 FROM vectors v WHERE v.id = p.id";
    const documents = connection.prepare(
      `SELECT d.first, d.count FROM documents d WHERE d.first > ? AND EXISTS (SELECT 1 FROM passages p WHERE p.id >= d.first AND p.id < d.first + d.count AND NOT EXISTS (${missing})) ORDER BY d.first LIMIT ${atOnce}`,
    );
    const passages = connection.prepare(
      `SELECT p.id FROM passages p WHERE p.id >= ? AND p.id < ? AND NOT EXISTS (${missing}) ORDER BY p.id`,
    );
    return storeCall(() =>
      documents.all(after).flatMap(({ first, count }) => {
        const document = index.rows.documentOf(Number(first));
        const rows = passages.all(Number(first), Number(first) + Number(count));
        return document === undefined ? [] : [{ document, ids: rows.map(({ id }) => Number(id)) }];
      }),
    );
  } finally {
    index.close();
  }
}

/**
 * The texts of a document's passages, without credentials, as their file has them now.
 *
 * @returns undefined when the file is another than the one that was indexed, or cannot be read
 */
export async function textsToEmbed(
  path: string,
  files: ProjectFiles,
  { document, ids }: UnembeddedDocument,
): Promise<PassageToEmbed[] | undefined> {
  const connection = openIndexToRead(path);
  if (connection === undefined) return undefined;
  const index = new IndexSearch(connection);
  try {
    const texts = new PassageTexts(files, (each) => index.rows.keptText(each));
    const { title, about } = document;
    const found: PassageToEmbed[] = [];
    for (const id of ids) {
      if (id === document.first) {
        found.push({ document, id, text: joined([document.path, title, about]) });
        continue;
      }
      const passage = index.rows.place(id);
      const read = await texts.of(document, { ...passage, score: 0 }, []);
      if (read === undefined || read.hasChanged) return undefined;
      found.push({ document, id, text: joined([title, passage.heading, read.text]) });
    }
    return found;
  } finally {
    index.close();
  }
}

/** On lines of their own. */
const joined = (parts: readonly string[]): string => parts.filter((part) => part.trim() !== "").join("\n");
