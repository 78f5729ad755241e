import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { isDeed } from "../app/late.ts";
import { line } from "../app/shown-text.ts";
import { sayFailed } from "./failed-deeds.ts";
import { useIsShown } from "./is-shown.ts";

/** What its person would call something: what was pressed, and what that was about. Of what has many, by what was asked. */
export type Called<V> = readonly string[] | ((asked: V) => readonly string[]);

interface DeedOptions<V, T> extends Omit<UseMutationOptions<T, Error, V>, "onError"> {
  readonly called: Called<V>;
  readonly onError?: (error: Error) => unknown;
}

/** Something that a person has the device do. Where it fails after they have left the page, that is said where they are. */
export function useDeed<V = void, T = unknown>({ called, onError, ...options }: DeedOptions<V, T>) {
  const isShown = useIsShown();
  return useMutation<T, Error, V>({
    ...options,
    meta: isDeed,
    onError(error, asked) {
      if (!isShown()) {
        const parts = typeof called === "function" ? called(asked) : called;
        sayFailed({ called: parts.map(line).filter(Boolean).join(" · "), error });
      }
      return onError?.(error);
    },
  });
}
