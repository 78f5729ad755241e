import { pathFilter } from "../../files/paths/path-filter.ts";
import { nameOf } from "../../files/paths/project-path.ts";
import { spellingsOf } from "./spellings.ts";

type Filter = ReturnType<typeof pathFilter>;

/** Compiled once for each list there is. */
const compiled = new WeakMap<readonly string[], Map<boolean, Filter>>();

function filterOf(globs: readonly string[], foldsCase: boolean): Filter {
  const known = compiled.get(globs) ?? new Map<boolean, Filter>();
  compiled.set(globs, known);
  if (!known.has(foldsCase)) {
    // A person types an accent in one form, a disk stores it in another. Patterns fold ASCII only, as git's do.
    const composed = globs.flatMap((glob) => [glob, glob.normalize("NFC")]);
    const all = [...new Set(composed.flatMap((glob) => (foldsCase ? [glob, glob.toLowerCase()] : [glob])))];
    known.set(foldsCase, all.length === 0 ? undefined : pathFilter({ globs: all }, foldsCase));
  }
  return known.get(foldsCase);
}

/** Whether a list names this very path: what is allowed is that and nothing else. */
export const namesExactly = (globs: readonly string[], path: string, foldsCase: boolean): boolean =>
  filterOf(globs, foldsCase)?.(path, nameOf(path)) === true;

/** Whether a list names the path, or one that a disk or an eye could take for it: for what is to be kept from somebody. */
export function names(globs: readonly string[], path: string, foldsCase: boolean): boolean {
  if (globs.length === 0) return false;
  const spellings = spellingsOf(path).flatMap((each) => (foldsCase ? [each, each.toLowerCase()] : [each]));
  return spellings.some((each) => namesExactly(globs, each, foldsCase));
}
