import { KeyedLock } from "../../files/keyed-lock.ts";
import { identityOf, type NameFolding } from "../../files/paths/containment.ts";

/**
 * One change at a time for each file. Several files are locked in one order by everyone, so that two changes never wait
 * for each other.
 */
export class PathLocks {
  readonly #locks = new KeyedLock();
  readonly #keyOf: (path: string) => string;

  /** @param folding which spellings are one file */
  constructor(folding: NameFolding) {
    this.#keyOf = (path) => identityOf(path, folding);
  }

  async run<T>(paths: readonly string[], action: () => Promise<T>): Promise<T> {
    const keys = [...new Set(paths.map(this.#keyOf))].sort();
    const enter = (index: number): Promise<T> => {
      const key = keys[index];
      return key === undefined ? action() : this.#locks.run(key, () => enter(index + 1));
    };
    return enter(0);
  }
}
