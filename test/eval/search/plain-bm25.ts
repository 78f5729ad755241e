import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** What SQLite gives without any work of ours: whole files in FTS5's `unicode61`, all words of a question joined by OR. */
export class PlainBm25 {
  readonly #database = new DatabaseSync(":memory:");
  readonly #paths: readonly string[];

  constructor(root: string, paths: readonly string[]) {
    this.#paths = paths;
    this.#database.exec("CREATE VIRTUAL TABLE files USING fts5(path, text, tokenize='unicode61 remove_diacritics 2')");
    const insert = this.#database.prepare("INSERT INTO files (rowid, path, text) VALUES (?, ?, ?)");
    for (const [at, path] of paths.entries()) insert.run(at, path, readFileSync(join(root, path), "utf8"));
  }

  /** Paths, best first. */
  find(question: string): string[] {
    const words = question.match(/[\p{L}\p{N}]+/gu) ?? [];
    const any = words.map((word) => `"${word}"`).join(" OR ");
    const rows = this.#database.prepare("SELECT rowid FROM files WHERE files MATCH ? ORDER BY rank LIMIT 10").all(any);
    return rows.map(({ rowid }) => this.#paths[Number(rowid)] ?? "");
  }

  close(): void {
    this.#database.close();
  }
}
