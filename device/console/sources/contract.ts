import * as z from "zod";
import { changeScoutRequest, createScoutRequest, muteRequest } from "../../../events/http/scouts.ts";
import { projectId, runId, scoutId } from "../../../events/ids.ts";
import { sourceSettings } from "../../../events/sources/settings.ts";
import type { Told, ToldSees } from "../told.ts";

/*
 * What a person types is bounded by the size of a request alone (entrance/doors.ts): whoever keeps it says in a sentence, at its
 * field, what is wrong with it.
 */

export const scoutParam = z.object({ id: scoutId });
export const folderParam = z.object({ id: projectId });
export const scanParam = z.object({ id: runId });
export const connectionParam = z.object({ id: z.string().regex(/^[\w-]{16}$/) });

/** A source to add. Without a name it is called after the source. */
export const addRequest = z.strictObject({
  source: createScoutRequest.shape.sourceType,
  settings: createScoutRequest.shape.settings,
  name: z.string().optional(),
  purpose: z.string(),
});

/** Settings as they are typed, before anything is made of them. */
export const checkRequest = z.strictObject({
  source: createScoutRequest.shape.sourceType,
  settings: sourceSettings,
});

/** As it is typed: a number that is none would be `null` in JSON, and `null` has a meaning. */
export const editRequest = changeScoutRequest.extend({
  name: z.string().optional(),
  purpose: z.string().optional(),
  schedule: z.string().nullable().optional(),
  pauseAfterDays: z.string().optional(),
});
export type EditRequest = z.output<typeof editRequest>;

/** Another purpose to try. */
export const tryRequest = z.strictObject({ purpose: z.string() });

/** A sender to mute, or to hear again. */
export const senderRequest = muteRequest.extend({ address: z.string() });

export const pauseRequest = z.strictObject({ paused: z.boolean() });

/** What a folder's scout may be told: whether it looks, and how often. */
export const folderRequest = z.strictObject({
  isEnabled: z.boolean().optional(),
  rescanEveryMs: z
    .number()
    .int()
    .min(3_600_000)
    .max(30 * 86_400_000)
    .optional(),
});

/** A folder to link, by its whole path on this machine. */
export const linkRequest = z.strictObject({ name: z.string(), path: z.string() });

/** A folder to look into; the person's own when it is not named. */
export const placeRequest = z.strictObject({
  path: z
    .string()
    .max(4_096)
    .refine((path) => !path.includes("\0"))
    .optional(),
});

/** A scout that is connected now, and what it sees. */
export interface Connected {
  readonly id: string;
  readonly name: string;
  readonly sees: ToldSees | null;
  /** Why it sees nothing yet, where it was looked at. */
  readonly error: Told | null;
}

/** What became of connecting: it is done, or the person is asked for consent on a page of the source's own. */
export type Connecting =
  | { readonly status: "done"; readonly connected: Connected }
  | { readonly status: "asked"; readonly id: string; readonly url: string };
