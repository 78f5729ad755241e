import type { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../../../standins/transaction.ts";

/**
 * Changes to the engine's file and to what the engine holds of it in memory, made as one: what the disk refuses has not happened in
 * either.
 */
export class Together {
  readonly #database: DatabaseSync;
  #undo: (() => void)[] | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Runs `work`; what it writes is committed as one, or not at all. May be used inside another. */
  run<T>(work: () => T): T {
    if (this.#undo) return work();
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      return inTransaction(this.#database, work);
    } catch (error) {
      for (const back of undo.toReversed()) back();
      throw error;
    } finally {
      this.#undo = undefined;
    }
  }

  /** Within `run`: how a change in memory is taken back, should the disk refuse what belongs to it. */
  orElse(back: () => void): void {
    this.#undo?.push(back);
  }
}
