import { useSyncExternalStore } from "react";
import { onUnsent, type TypedTexts, typedTexts, unsentNow } from "./typed-texts.ts";

/** What is typed into a form. */
export interface Typed<T> {
  readonly value: T;
  type(next: T): void;
  /** It was sent, and is forgotten; what was typed since stays. */
  sent(what: T): void;
}

/**
 * What is typed into a form, for as long as it is not sent: another page, a sign-in that ends and an answer that comes after the
 * form has gone leave it as it is here, and nowhere else.
 *
 * @param about what it is about
 * @param began what the form shows where nothing was typed
 */
export function useTyped<T>(texts: TypedTexts<T>, about: string, began: T): Typed<T> {
  useSyncExternalStore(onUnsent, unsentNow);
  const value = texts.of(about) ?? began;
  return {
    value,
    type: (next) => texts.keep(about, isSame(next, began) ? undefined : next),
    sent(what) {
      const now = texts.of(about);
      if (now !== undefined && isSame(now, what)) texts.keep(about, undefined);
    },
  };
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

const fields = typedTexts<string>((text) => [text]);

/** The same of one field. @param about which field of which form, of what */
export const useTypedText = (about: string, began = ""): Typed<string> => useTyped(fields, about, began);
