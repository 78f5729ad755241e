import { useSyncExternalStore } from "react";

/** Words of a search. */
export interface SearchWords {
  search(text: string): void;
  use(): string;
}

/** What is searched for, in this tab's memory alone: an address and what a browser stores outlive the look. */
export function searchWords(): SearchWords {
  let words = "";
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return {
    search(text) {
      words = text.trim();
      for (const listener of listeners) listener();
    },
    use: () => useSyncExternalStore(subscribe, () => words),
  };
}

/** Of the inbox. */
export const inboxWords = searchWords();
