import type { InferResponseType } from "hono/client";
import { answerOf, api } from "./api.ts";
import { patienceMs, tokenOfTab } from "./tab.ts";
import { speak } from "./texts.ts";

export type Preferences = InferResponseType<typeof api.preferences.$get>["preferences"];

const listeners = new Set<() => void>();
/** How often a choice was shown: an answer that was asked for before the newest of them is older than it. */
let shown = 0;
/** Why what was chosen is not known; null where it is. */
let failure: Error | null = null;
let chosen: Preferences = { language: null, theme: "system", notifications: "off" };

/** What is chosen now, for React to read. */
export const preferencesNow = (): Preferences => chosen;

/** Why it is not known what was chosen, for React to read; null where it is. */
export const preferencesFailure = (): Error | null => failure;

/** Calls back when what is chosen has changed. @returns what ends that */
export function onPreferences(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows the page as it was chosen. */
export async function applyPreferences(preferences: Preferences): Promise<void> {
  shown += 1;
  chosen = preferences;
  failure = null;
  document.documentElement.dataset["theme"] = preferences.theme;
  await speak(preferences.language);
  for (const listener of listeners) listener();
}

/** Shows what the device answers, unless the device has said something newer meanwhile. */
async function applyAnswer(asked: Promise<{ readonly preferences: Preferences }>): Promise<void> {
  const before = shown;
  const { preferences } = await asked;
  if (shown === before) await applyPreferences(preferences);
}

/** Asks the device for what was chosen; a tab that is not signed in is as its browser is. */
export async function loadPreferences(): Promise<void> {
  if (tokenOfTab() === null) return;
  const init = { signal: AbortSignal.timeout(patienceMs) };
  // What is shown stays when the device does not answer: the page as its browser is misleads nobody but where one chooses.
  await applyAnswer(answerOf(api.preferences.$get({}, { init }))).catch((error: unknown) => {
    failure = error instanceof Error ? error : new Error(String(error));
    for (const listener of listeners) listener();
  });
}

/** Keeps a choice with the device, for every tab. @throws ApiError */
export async function choose(change: Partial<Preferences>): Promise<void> {
  await applyPreferences({ ...chosen, ...change });
  await applyAnswer(answerOf(api.preferences.$patch({ json: change })));
}
