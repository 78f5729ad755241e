import { useMutation } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { choose, onPreferences, type Preferences, preferencesFailure, preferencesNow } from "../app/preferences.ts";

/** What is chosen, how to choose otherwise, and why either is not known or not kept. */
export function usePreferences() {
  const preferences = useSyncExternalStore(onPreferences, preferencesNow);
  const change = useMutation({ mutationFn: (asked: Partial<Preferences>) => choose(asked) });
  const failure = useSyncExternalStore(onPreferences, preferencesFailure);
  return { preferences, change, error: change.error ?? failure };
}
