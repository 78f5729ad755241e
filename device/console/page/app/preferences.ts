import type { InferResponseType } from "hono/client";
import { answerOf, api } from "./api.ts";
import { tokenOfTab } from "./tab.ts";
import { speak } from "./texts.ts";

export type Preferences = InferResponseType<typeof api.preferences.$get>["preferences"];

const listeners = new Set<() => void>();
let chosen: Preferences = { language: null, theme: "system", notifications: "off" };

/** What is chosen now, for React to read. */
export const preferencesNow = (): Preferences => chosen;

export function onPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the page as it was chosen. */
export async function applyPreferences(preferences: Preferences): Promise<void> {
  chosen = preferences;
  document.documentElement.dataset["theme"] = preferences.theme;
  await speak(preferences.language);
  for (const listener of listeners) listener();
}

/** Asks the device for what was chosen; a tab that is not signed in is as its browser is. */
export async function loadPreferences(): Promise<void> {
  if (tokenOfTab() === null) return;
  const answer = await answerOf(api.preferences.$get()).catch(() => undefined);
  if (answer !== undefined) await applyPreferences(answer.preferences);
}

/** Keeps a choice with the device, for every tab. @throws ApiError */
export async function choose(change: Partial<Preferences>): Promise<void> {
  await applyPreferences({ ...chosen, ...change });
  const { preferences } = await answerOf(api.preferences.$patch({ json: change }));
  await applyPreferences(preferences);
}
