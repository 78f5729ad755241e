import type { IgnoreRules } from "./ignore-rules.ts";

/**
 * The ignore files in force in one directory, innermost first. A directory that is ignored must not be entered: git never
 * re-includes what lies under it, so callers prune and ask only about children of directories that are not ignored.
 */
export class IgnoreStack {
  readonly #rules: IgnoreRules;
  /** Length of the prefix to cut from a path to make it relative to the ignore file's directory. */
  readonly #baseLength: number;
  readonly #outer: IgnoreStack | undefined;

  constructor(rules: IgnoreRules, directory: string, outer: IgnoreStack | undefined) {
    this.#rules = rules;
    this.#baseLength = directory === "" ? 0 : directory.length + 1;
    this.#outer = outer;
  }

  /** Whether a path (relative to the root) is ignored, its parents being known not to be. */
  ignores(path: string, name: string, isDirectory: boolean): boolean {
    let level: IgnoreStack | undefined = this;
    while (level !== undefined) {
      const verdict = level.#rules.verdict(path.slice(level.#baseLength), name, isDirectory);
      if (verdict !== undefined) return verdict;
      level = level.#outer;
    }
    return false;
  }
}
