import * as z from "zod";

/** What a person has chosen for the console; kept by the device, for every tab and every port it is served at. */
export const preferences = z.strictObject({
  /** `null`: as the browser says. */
  language: z.enum(["en", "it", "es", "fr", "de"]).nullable(),
  theme: z.enum(["system", "light", "dark"]),
  /** Whether the browser shows that something arrived: never, how many, or the subject as well. */
  notifications: z.enum(["off", "count", "subject"]),
});
export type Preferences = z.infer<typeof preferences>;

export const preferencesRequest = preferences.partial();
export type PreferencesChange = z.infer<typeof preferencesRequest>;
