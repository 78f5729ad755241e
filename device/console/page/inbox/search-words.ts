import { useSyncExternalStore } from "react";

/** What is searched for, in this tab's memory alone: an address and what a browser stores outlive the look. */
let words = "";
const listeners = new Set<() => void>();

export function searchFor(text: string): void {
  words = text.trim();
  for (const listener of listeners) listener();
}

export const useSearchWords = (): string =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => words,
  );
