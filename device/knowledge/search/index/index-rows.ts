import type { SQLOutputValue } from "node:sqlite";
import type { PreparedStatements } from "../../../store/sqlite/prepared-statements.ts";
import { storeCall } from "../../../store/sqlite/sqlite-errors.ts";

/** A file, or a piece of work, that an index holds. */
export interface FoundDocument {
  readonly id: number;
  readonly path: string;
  readonly hash: string;
  readonly kind: string;
  readonly title: string;
  readonly about: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** The number of its first passage; the others follow it. */
  readonly first: number;
  readonly count: number;
  readonly sketch: Uint8Array;
}

/** Where in it. */
export interface FoundPassage {
  readonly startLine: number;
  readonly endLine: number;
  readonly start: number;
  readonly end: number;
  readonly heading: string;
  readonly score: number;
}

export interface FoundFile {
  readonly document: FoundDocument;
  /** Best first; none when only its name or summary was found. */
  readonly passages: readonly FoundPassage[];
  readonly score: number;
  /** Every word that was asked for is in one of its passages. */
  readonly hasAll: boolean;
  /** Paths of files that say the same, this one's other versions among them. */
  readonly alike: readonly string[];
}

type Row = Record<string, SQLOutputValue> | undefined;

/** What an index says of its documents and passages. Every method throws DeviceError `store_unreadable` where it is damaged. */
export class IndexRows {
  readonly #statements: PreparedStatements;

  constructor(statements: PreparedStatements) {
    this.#statements = statements;
  }

  /** The document a passage is of. */
  documentOf(passage: number): FoundDocument | undefined {
    const row = this.#row(
      "SELECT id, path, hash, kind, title, about, size_bytes, mtime_ms, first, count, sketch FROM documents WHERE first <= ? ORDER BY first DESC LIMIT 1",
      passage,
    );
    if (row === undefined) return undefined;
    const { sketch } = row;
    return {
      id: Number(row["id"]),
      path: String(row["path"]),
      hash: String(row["hash"]),
      kind: String(row["kind"]),
      title: String(row["title"]),
      about: String(row["about"]),
      sizeBytes: Number(row["size_bytes"]),
      mtimeMs: Number(row["mtime_ms"]),
      first: Number(row["first"]),
      count: Number(row["count"]),
      sketch: sketch instanceof Uint8Array ? sketch : new Uint8Array(0),
    };
  }

  /** Where in its text a passage stands. */
  place(id: number): Omit<FoundPassage, "score"> {
    const row = this.#row("SELECT start_line, end_line, start, end, heading FROM passages WHERE id = ?", id);
    return {
      startLine: Number(row?.["start_line"] ?? 1),
      endLine: Number(row?.["end_line"] ?? 1),
      start: Number(row?.["start"] ?? 0),
      end: Number(row?.["end"] ?? 0),
      heading: String(row?.["heading"] ?? ""),
    };
  }

  /** The first passage of a document, to show when only its name was found; undefined when it has none. */
  firstPassage({ id, first }: FoundDocument): FoundPassage | undefined {
    const row = this.#row("SELECT 1 FROM documents WHERE id = ? AND count > 1", id);
    return row === undefined ? undefined : { ...this.place(first + 1), score: 0 };
  }

  /** The text that is kept of a document whose passages cannot be read from its file. */
  keptText({ id }: FoundDocument): Uint8Array | undefined {
    const kept = this.#row("SELECT kept FROM documents WHERE id = ?", id)?.["kept"];
    return kept instanceof Uint8Array ? kept : undefined;
  }

  /** Documents and passages there are. */
  counts(): { readonly files: number; readonly passages: number } {
    const row = this.#row("SELECT count(*) AS files, coalesce(sum(count), 0) AS passages FROM documents");
    return { files: Number(row?.["files"] ?? 0), passages: Number(row?.["passages"] ?? 0) };
  }

  /** What the index notes about itself. */
  fact(name: string): unknown {
    return this.#row("SELECT value FROM facts WHERE name = ?", name)?.["value"];
  }

  #row(sql: string, ...values: (string | number)[]): Row {
    return storeCall(() => this.#statements.get(sql).get(...values));
  }
}
