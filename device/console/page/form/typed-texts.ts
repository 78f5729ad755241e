/**
 * What is typed and not sent, by what it is about, in the memory of the tab alone: whoever closes a dialog or looks at another
 * page finds it again.
 */
export interface TypedTexts<T> {
  of(about: string): T | undefined;
  /** @param typed undefined when there is nothing to keep any more */
  keep(about: string, typed: T | undefined): void;
}

interface Kept {
  readonly typed: ReadonlyMap<string, unknown>;
  words(): readonly string[];
}

const all: Kept[] = [];
const listeners = new Set<() => void>();
let unsent: readonly string[] = [];

/** All that is typed and not sent, in its person's own words, for React to read. */
export const unsentNow = (): readonly string[] => unsent;

/** Calls back when something else is. @returns what ends that */
export function onUnsent(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Keeps texts of one kind. The browser asks before a tab is closed that has some.
 *
 * @param wordsOf what of one its person has typed
 */
export function typedTexts<T>(wordsOf: (typed: T) => readonly string[]): TypedTexts<T> {
  const typed = new Map<string, T>();
  all.push({ typed, words: () => [...typed.values()].flatMap(wordsOf).filter((words) => words.trim() !== "") });
  return {
    of: (about) => typed.get(about),
    keep(about, text) {
      if (text === undefined && !typed.has(about)) return;
      if (text === undefined) typed.delete(about);
      else typed.set(about, text);
      unsent = all.flatMap((each) => each.words());
      for (const listener of listeners) listener();
    },
  };
}

addEventListener("beforeunload", (event) => {
  if (all.some(({ typed }) => typed.size > 0)) event.preventDefault();
});
