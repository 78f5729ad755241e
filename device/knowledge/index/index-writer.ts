import type { DatabaseSync } from "node:sqlite";
import type { RunId } from "../../../events/ids.ts";
import { PreparedStatements } from "../../store/sqlite/prepared-statements.ts";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";
import { inTransaction } from "../../store/sqlite/transaction.ts";
import type { IndexedText } from "../text/indexed-text.ts";
import { partsOfNames, spacedWords } from "../text/words.ts";
import { whereItIsAlike } from "./alike-document.ts";
import { facts, followedQuery, purgedQuery } from "./index-facts.ts";

/** One file of a manifest, or one piece of a person's work, as the index keeps it. */
export interface IndexedDocument {
  /** Names it in its index. */
  readonly path: string;
  /** Words it is known by beside its title; its path when absent. */
  readonly named?: string;
  /** Who sent it, folded. */
  readonly sender?: string;
  /** SHA-256 of the content, hex; "" when nothing of it is read. */
  readonly hash: string;
  readonly kind: string;
  /** What it is for (doc, code, …); "" when that is not known. */
  readonly tag: string;
  /** Lower case, without the dot. */
  readonly ext: string;
  /** What is said of the file: its summary, or "". */
  readonly about: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Null for a file of which only name and summary are found. */
  readonly text: IndexedText | null;
  /** Version of what has read it (`readerOf`); absent for what is no file. */
  readonly reader?: number;
}

/** What an index says of a document that is in it. */
export type KnownDocument = Pick<IndexedDocument, "hash" | "about"> & { readonly reader: number };

/** Pages of the index merged at a time: a transaction of some tenths of a second. */
const mergePages = 500;
/** Words in more than one passage of so many say little and cost much: a question with others is answered without them. */
const commonShare = 200;
/** In a smaller index nothing costs much. */
const minPassagesForCommon = 20_000;

/** Changes that were numbered where they were made. */
export interface FollowedChanges {
  readonly documents: readonly IndexedDocument[];
  readonly removed: readonly string[];
  /** The number the index had followed to; undefined for one that had not. */
  readonly after: number | undefined;
  readonly upTo: number;
}

/** What an index is to note of itself when a writer is done with it. */
export interface Finished {
  /** Whether it holds all of its manifest, and the next scan need not look. */
  readonly isComplete: boolean;
  /** Names those that have read all that is in it (`readersNow`). */
  readonly readers?: string;
  /** The latest run whose changes are all in. Left out: as it was. */
  readonly through?: RunId | undefined;
}

/** Writes one project's index. Every method is one transaction. */
export class IndexWriter {
  readonly #connection: DatabaseSync;
  readonly #statements: PreparedStatements;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    this.#statements = new PreparedStatements(connection);
  }

  /** What is indexed, by path. */
  known(): Map<string, KnownDocument> {
    const rows = storeCall(() => this.#statements.get("SELECT path, hash, about, reader FROM documents").all());
    return new Map(
      rows.map(({ path, hash, about, reader }) => [
        String(path),
        { hash: String(hash), about: String(about), reader: Number(reader) },
      ]),
    );
  }

  /** Puts documents in, each in place of the one at its path; of one that was only read again its vectors stay. */
  put(documents: readonly IndexedDocument[]): void {
    this.#transaction(() => {
      for (const each of documents) {
        const first = whereItIsAlike(this.#statements, each);
        this.#remove(each.path, first !== undefined);
        this.#add(each, first);
      }
    });
  }

  /** What is said of files that are in already. */
  setAbout(said: readonly { readonly path: string; readonly about: string }[]): void {
    const find = this.#statements.get("SELECT first, title FROM documents WHERE path = ?");
    const update = this.#statements.get("UPDATE documents SET about = ? WHERE path = ?");
    const drop = this.#statements.get("DELETE FROM words WHERE rowid = ?");
    const dropVector = this.#statements.get("DELETE FROM vectors WHERE id = ?");
    this.#transaction(() => {
      for (const { path, about } of said) {
        const row = find.get(path);
        if (row === undefined) continue;
        const id = Number(row["first"]);
        update.run(about, path);
        drop.run(id);
        dropVector.run(id);
        this.#addWords(id, placeWords(path, String(row["title"])), about);
      }
    });
  }

  /** Takes files out; their words stay in the bytes until {@link purge}, which is remembered until then. */
  remove(paths: readonly string[]): void {
    this.#transaction(() => {
      if (paths.length > 0) this.#setFact(facts.purged, "0");
      for (const path of paths) this.#remove(path);
    });
  }

  /**
   * Does what a list of changes asks for, if nobody has done so meanwhile.
   *
   * @returns false when somebody has: then nothing was done
   */
  follow({ documents, removed, after, upTo }: FollowedChanges): boolean {
    let isFirst = false;
    this.#transaction(() => {
      isFirst = this.followedTo() === after;
      if (!isFirst) return;
      for (const each of documents) {
        this.#remove(each.path);
        this.#add(each);
      }
      for (const path of removed) this.#remove(path);
      if (removed.length > 0) this.#setFact(facts.purged, "0");
      this.#setFact(facts.followed, String(upTo));
    });
    return isFirst;
  }

  /** The number of the last change that was followed; undefined before everything was in once. */
  followedTo(): number | undefined {
    const found = storeCall(() => this.#statements.get(followedQuery).get()?.["value"]);
    return found === undefined ? undefined : Number(found);
  }

  /** Nothing that was removed has left bytes behind. */
  isPurged(): boolean {
    return storeCall(() => this.#statements.get(purgedQuery).get()?.["value"]) !== "0";
  }

  /**
   * Has every trace of what was removed leave the file: words of deleted rows stay in FTS5's segments until those are
   * merged, pages in the write-ahead log until it is cut.
   *
   * @returns false when a reader held the log; then {@link isPurged} stays false until a later time has done it
   */
  purge(): boolean {
    for (;;) {
      const before = this.#changes();
      this.#transaction(() =>
        this.#statements.get("INSERT INTO words (words, rank) VALUES ('merge', ?)").run(-mergePages),
      );
      // FTS5's manual, "The 'merge' Command": less than two changes mean there was nothing left to merge.
      if (this.#changes() - before < 2) break;
    }
    const row = storeCall(() => this.#statements.get("PRAGMA wal_checkpoint(TRUNCATE)").get());
    const isPurged = row?.["busy"] === 0;
    if (isPurged) this.#transaction(() => this.#setFact(facts.purged, "1"));
    return isPurged;
  }

  /** Notes how far it is, and which words are too common to be searched for with others. */
  finish({ isComplete, readers, through }: Finished): void {
    const passages = Number(this.#value("SELECT count(*) AS n FROM passages") ?? 0);
    const counted = Number(storeCall(() => this.#value("SELECT value AS n FROM facts WHERE name = 'commonOf'")) ?? 0);
    const isOther = passages > counted * 1.2 || passages < counted / 1.2;
    const common = isOther && passages >= minPassagesForCommon ? this.#commonWords(passages) : undefined;
    this.#transaction(() => {
      this.#setFact(facts.complete, isComplete ? "1" : "0");
      if (readers !== undefined) this.#setFact(facts.readers, readers);
      if (through !== undefined) this.#setFact(facts.through, through);
      if (isOther && passages < minPassagesForCommon) this.#setFact("common", "[]");
      if (common === undefined) return;
      this.#setFact("common", JSON.stringify(common));
      this.#setFact("commonOf", String(passages));
    });
    storeCall(() => this.#connection.exec("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(PASSIVE)"));
  }

  close(): void {
    this.#connection.close();
  }

  /** The most common first. */
  #commonWords(passages: number): string[] {
    const least = Math.ceil(passages / commonShare);
    const rows = storeCall(() =>
      this.#statements.get("SELECT term FROM vocabulary WHERE doc >= ? ORDER BY doc DESC").all(least),
    );
    return rows.map(({ term }) => String(term));
  }

  #add(document: IndexedDocument, place?: number): void {
    const { path, hash, kind, tag, ext, about, sender = "", sizeBytes, mtimeMs, text, reader = 0 } = document;
    const first = place ?? Number(this.#value("SELECT coalesce(max(id), 0) + 1 AS n FROM passages"));
    const { title = "", passages = [], chars = 0, sketch = new Uint8Array(0), kept = null } = text ?? {};
    this.#statements
      .get(
        "INSERT INTO documents (path, hash, kind, tag, ext, title, about, sender, size_bytes, mtime_ms, chars, first, count, sketch, kept, reader) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        path,
        hash,
        kind,
        tag,
        ext,
        title,
        about,
        sender,
        sizeBytes,
        mtimeMs,
        chars,
        first,
        passages.length + 1,
        sketch,
        kept,
        reader,
      );
    const insert = this.#statements.get(
      "INSERT INTO passages (id, start_line, end_line, start, end, heading) VALUES (?, ?, ?, ?, ?, ?)",
    );
    insert.run(first, 1, 1, 0, 0, "");
    const named = placeWords(document.named ?? path, title);
    this.#addWords(first, named, about);
    const add = this.#statements.get("INSERT INTO words (rowid, place, heading, body, parts) VALUES (?, ?, ?, ?, ?)");
    for (const [index, { startLine, endLine, start, end, heading, body, parts }] of passages.entries()) {
      const id = first + 1 + index;
      insert.run(id, startLine, endLine, start, end, heading);
      add.run(id, named, spacedWords(heading), body, parts);
    }
  }

  /** What is said of a document as a whole. */
  #addWords(id: number, named: string, about: string): void {
    this.#statements
      .get("INSERT INTO words (rowid, place, heading, body, parts) VALUES (?, ?, ?, ?, ?)")
      .run(id, named, "", spacedWords(about), "");
  }

  #remove(path: string, keepsVectors = false): void {
    const row = this.#statements.get("SELECT id, first, count FROM documents WHERE path = ?").get(path);
    if (row === undefined) return;
    const [first, count] = [Number(row["first"]), Number(row["count"])];
    const drop = this.#statements.get("DELETE FROM words WHERE rowid = ?");
    for (let id = first; id < first + count; id++) drop.run(id);
    if (!keepsVectors) this.#statements.get("DELETE FROM vectors WHERE id >= ? AND id < ?").run(first, first + count);
    this.#statements.get("DELETE FROM passages WHERE id >= ? AND id < ?").run(first, first + count);
    this.#statements.get("DELETE FROM documents WHERE path = ?").run(path);
  }

  #setFact(name: string, value: string): void {
    this.#statements
      .get("INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value")
      .run(name, value);
  }

  #value(sql: string): unknown {
    return this.#statements.get(sql).get()?.["n"];
  }

  #changes(): number {
    return Number(this.#value("SELECT total_changes() AS n"));
  }

  #transaction(work: () => void): void {
    storeCall(() => inTransaction(this.#connection, "immediate", work));
  }
}

/** Words of a document's place and title, names in code taken apart. */
function placeWords(path: string, title: string): string {
  const said = `${path.replace(/[/._-]+/g, " ")} ${title}`;
  return `${spacedWords(said)} ${partsOfNames(path)}`;
}
