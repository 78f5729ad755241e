import { readPrivateFile, writePrivateFile } from "../../private-file.ts";
import { type Preferences, type PreferencesChange, preferencesRequest } from "./contract.ts";

const unchosen: Preferences = { language: null, theme: "system", notifications: "off" };

/** What was chosen; what nobody chose, or cannot be read, is as it is at first. @throws Error of the file system */
export const readPreferences = (file: string): Preferences =>
  merged(
    unchosen,
    readPrivateFile(file, preferencesRequest, (cause): PreferencesChange => {
      if (cause !== undefined) throw cause;
      // A damaged file costs a choice of colours, and the next choice writes it anew.
      return {};
    }) ?? {},
  );

/** Keeps a choice beside those made before. */
export function writePreferences(file: string, change: PreferencesChange): Preferences {
  const chosen = merged(readPreferences(file), change);
  writePrivateFile(file, chosen);
  return chosen;
}

const merged = (before: Preferences, change: PreferencesChange): Preferences => ({
  language: change.language === undefined ? before.language : change.language,
  theme: change.theme ?? before.theme,
  notifications: change.notifications ?? before.notifications,
});
