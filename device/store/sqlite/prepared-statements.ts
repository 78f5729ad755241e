import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Statements kept prepared; a program's code holds a few dozen. */
const maxKept = 100;

/** A connection's statements, each prepared once: that takes longer than most of them run. */
export class PreparedStatements {
  readonly #connection: DatabaseSync;
  readonly #kept = new Map<string, StatementSync>();

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
  }

  get(sql: string): StatementSync {
    const known = this.#kept.get(sql);
    if (known !== undefined) return known;
    if (this.#kept.size >= maxKept) this.#kept.clear();
    const fresh = this.#connection.prepare(sql);
    this.#kept.set(sql, fresh);
    return fresh;
  }
}
