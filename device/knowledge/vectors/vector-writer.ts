import type { DatabaseSync } from "node:sqlite";
import { PreparedStatements } from "../../store/sqlite/prepared-statements.ts";
import { storeCall } from "../../store/sqlite/sqlite-errors.ts";
import { inTransaction } from "../../store/sqlite/transaction.ts";
import { type MadeWith, madeWithFact, readMadeWith, tokensFact } from "./index-vectors.ts";

/** Vectors of one document's passages, some or all of them. */
export interface EmbeddedPassages extends MadeWith {
  readonly path: string;
  /** The document as it was read: see `documents.hash` and `documents.first`. */
  readonly hash: string;
  readonly first: number;
  /** Null for a passage that the model cannot take. */
  readonly vectors: readonly { readonly id: number; readonly bytes: Uint8Array | null }[];
  /** What they cost, and in which month (`2026-11`). */
  readonly tokens: number;
  readonly month: string;
}

/** Writes the vectors of one project's index. Every method is one transaction. */
export class VectorWriter {
  readonly #connection: DatabaseSync;
  readonly #statements: PreparedStatements;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    this.#statements = new PreparedStatements(connection);
  }

  /** From now on vectors are made with this; those of another model, or of another length, go. */
  embedWith({ model, dimension }: MadeWith): void {
    this.#transaction(() => {
      const before = readMadeWith(this.#connection);
      const isSame = before?.model === model && (dimension === null || before.dimension === dimension);
      if (isSame) return;
      this.#statements.get("DELETE FROM vectors").run();
      this.#setMadeWith({ model, dimension });
    });
  }

  /**
   * Puts vectors in, if the document is still what was read, and nobody has changed the model meanwhile:
   *
   *     embedding:  reads a.md ───────────────── its vectors arrive → nothing of a.md is put in
   *     elsewhere:            a.md is withheld, and taken out
   *
   * @returns `gone` when the document is another or none, `other` when vectors are made with something else: nothing was put in
   */
  put({ model, dimension, path, hash, first, vectors, tokens, month }: EmbeddedPassages): "stored" | "gone" | "other" {
    let outcome: "stored" | "gone" | "other" = "gone";
    this.#transaction(() => {
      this.#count(tokens, month);
      const madeWith = readMadeWith(this.#connection);
      const isOther = madeWith?.model !== model || (madeWith.dimension ?? dimension) !== dimension;
      if (isOther) {
        outcome = "other";
        return;
      }
      if (madeWith.dimension === null && dimension !== null) this.#setMadeWith({ model, dimension });
      const row = this.#statements.get("SELECT hash, first FROM documents WHERE path = ?").get(path);
      if (row?.["hash"] !== hash || row["first"] !== first) return;
      const insert = this.#statements.get("INSERT OR REPLACE INTO vectors (id, vector) VALUES (?, ?)");
      for (const { id, bytes } of vectors) insert.run(id, bytes);
      outcome = "stored";
    });
    return outcome;
  }

  /** All of them, and what they were made with. */
  drop(): void {
    this.#transaction(() => {
      this.#statements.get("DELETE FROM vectors").run();
      this.#statements.get(`DELETE FROM facts WHERE name = '${madeWithFact}'`).run();
    });
    storeCall(() => this.#connection.exec("PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(PASSIVE)"));
  }

  /** What was billed is counted, whatever becomes of the vectors. */
  #count(tokens: number, month: string): void {
    if (tokens === 0) return;
    this.#statements
      .get(
        "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = CAST(value AS INTEGER) + CAST(excluded.value AS INTEGER)",
      )
      .run(tokensFact(month), String(tokens));
  }

  #setMadeWith(madeWith: MadeWith): void {
    this.#statements
      .get("INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value")
      .run(madeWithFact, JSON.stringify(madeWith));
  }

  #transaction(work: () => void): void {
    storeCall(() => inTransaction(this.#connection, "immediate", work));
  }
}
