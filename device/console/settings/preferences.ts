import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import * as z from "zod";
import { type Preferences, type PreferencesChange, preferencesRequest } from "./contract.ts";

const unchosen: Preferences = { language: null, theme: "system", notifications: "off" };

/** What was chosen; what nobody chose, or cannot be read, is as it is at first. */
export function readPreferences(file: string): Preferences {
  try {
    return merged(unchosen, preferencesRequest.parse(JSON.parse(readFileSync(file, "utf8"))));
  } catch (error) {
    const isAbsent = error instanceof Error && "code" in error && error.code === "ENOENT";
    // A damaged file costs a choice of colours, and the next choice writes it anew.
    if (isAbsent || error instanceof SyntaxError || error instanceof z.ZodError) return unchosen;
    throw error;
  }
}

/** Keeps a choice beside those made before, replaced as a whole. */
export function writePreferences(file: string, change: PreferencesChange): Preferences {
  const chosen = merged(readPreferences(file), change);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(chosen, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, file);
  return chosen;
}

const merged = (before: Preferences, change: PreferencesChange): Preferences => ({
  language: change.language === undefined ? before.language : change.language,
  theme: change.theme ?? before.theme,
  notifications: change.notifications ?? before.notifications,
});
