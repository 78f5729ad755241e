import { useMutation } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { choose, onPreferences, type Preferences, preferencesNow } from "../app/preferences.ts";

/** What is chosen, and how to choose otherwise. */
export function usePreferences() {
  const preferences = useSyncExternalStore(onPreferences, preferencesNow);
  const change = useMutation({ mutationFn: (asked: Partial<Preferences>) => choose(asked) });
  return { preferences, change };
}
