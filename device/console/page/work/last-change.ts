import { useSyncExternalStore } from "react";
import type { Kind } from "./kinds.ts";

/** What a person has just done, while it is offered to be taken back. */
export interface LastChange {
  readonly kind: Kind;
  readonly id: string;
  /** Its number: what was done since stays where this is taken back. */
  readonly change: number;
  readonly title: string;
  readonly what: "done" | "reopened" | "removed";
}

let last: LastChange | undefined;
const listeners = new Set<() => void>();

/** Offers a change to be taken back, in place of the one before; undefined offers none. */
export function noteDone(change: LastChange | undefined): void {
  last = change;
  for (const listener of listeners) listener();
}

/** What can be taken back now, as it changes. */
export const useLastChange = (): LastChange | undefined =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => last,
  );
