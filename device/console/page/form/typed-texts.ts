/**
 * What is typed and not sent, by what it is about, in the memory of the tab alone: whoever closes a dialog or looks at another
 * page finds it again.
 */
export interface TypedTexts<T> {
  of(about: string): T | undefined;
  /** @param typed undefined when there is nothing to keep any more */
  keep(about: string, typed: T | undefined): void;
}

const all: ReadonlyMap<string, unknown>[] = [];

/** Keeps texts of one kind. The browser asks before a tab is closed that has some. */
export function typedTexts<T>(): TypedTexts<T> {
  const typed = new Map<string, T>();
  all.push(typed);
  return {
    of: (about) => typed.get(about),
    keep(about, text) {
      if (text === undefined) typed.delete(about);
      else typed.set(about, text);
    },
  };
}

addEventListener("beforeunload", (event) => {
  if (all.some(({ size }) => size > 0)) event.preventDefault();
});
