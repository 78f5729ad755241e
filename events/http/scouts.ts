import * as z from "zod";
import { scoutId } from "../ids.ts";
import { sourceSees } from "../sources/sees.ts";
import { sourceSettings } from "../sources/settings.ts";
import { toldUnreached } from "../sources/unreached.ts";
import { toldCode, toldCodeOrNull } from "../told-code.ts";
import { count, nextCursor, timestamp } from "./page.ts";

const name = z.string().trim().min(1).max(80);
export const purpose = z.string().trim().min(1).max(500);

/** After how many days without a device a scout rests: unless its owner says otherwise, and at most. */
export const usualRestDays = 14;
export const longestRestDays = 365;

/** `POST /api/v1/scouts` */
export const createScoutRequest = z.object({
  sourceType: z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/),
  settings: sourceSettings.optional(),
  name,
  purpose,
});
export type CreateScoutRequest = z.infer<typeof createScoutRequest>;

/** A scout as its owner sees it. Name and purpose are opened from the vault for this answer only. */
export const scoutResponse = z.object({
  id: scoutId,
  sourceType: z.string(),
  name: z.string(),
  purpose: z.string(),
  connected: z.boolean(),
  /** Whether its owner has paused it. */
  paused: z.boolean(),
  /** Whether it may move spam to Trash at the source. */
  autoTrash: z.boolean(),
  /** Senders whose items it dismisses because its owner muted them. */
  mutedSenders: count,
  /** It rests after so many days without a device of its owner. */
  pauseAfterDays: count,
  /** When it is polled: cron in UTC; `null` for every quarter of an hour. */
  schedule: z.string().nullable(),
  disabledCode: toldCodeOrNull,
  disabledAt: timestamp.nullable().default(null),
  /** Looks at the source that have failed since the last good one: how many, why the last, and when the first. */
  failing: z
    .object({ count, code: toldCode, ...toldUnreached, since: timestamp.nullable() })
    .nullable()
    .default(null),
  /** It rests since then, because no device of its owner was seen; the next one wakes it. */
  restingSince: timestamp.nullable().default(null),
  createdAt: timestamp,
  lastRunAt: timestamp.nullable(),
  nextRunAt: timestamp.nullable(),
});
export type ScoutResponse = z.infer<typeof scoutResponse>;

/** `POST /api/v1/scouts`: with what it sees, where no consent is needed; `null` when the same request had made it before. */
export const createdScoutResponse = scoutResponse.extend({ sees: sourceSees.nullable() });
export type CreatedScoutResponse = z.infer<typeof createdScoutResponse>;

/** A kind of source this home reads, and what it takes to connect it. */
export const sourceKind = z.object({
  source: z.string(),
  /** JSON Schema (2020-12) of what a person types; `null` where the source asks for consent on a page of its own. */
  settings: z.record(z.string(), z.unknown()).nullable(),
  /** Which of the settings are secrets. */
  secrets: z.array(z.string()),
  /** Whether spam can be moved to Trash there. */
  trash: z.boolean(),
});
export type SourceKind = z.infer<typeof sourceKind>;
/** `GET /api/v1/sources` */
export const sourceListResponse = z.object({ sources: z.array(sourceKind) });

export const scoutListResponse = z.object({ scouts: z.array(scoutResponse), nextCursor });

/** `PATCH /api/v1/scouts/{id}`: what is left out stays as it is. */
export const changeScoutRequest = z.strictObject({
  name: name.optional(),
  purpose: purpose.optional(),
  schedule: z.string().trim().min(9).max(100).nullable().optional(),
  autoTrash: z.boolean().optional(),
  /** `null` for the usual fortnight. */
  pauseAfterDays: z.number().int().min(1).max(longestRestDays).nullable().optional(),
  paused: z.boolean().optional(),
  /** As whoever changes it has seen it; when any of it is otherwise by now, nothing is changed (`conflict`). */
  was: z
    .strictObject({
      name: z.string().optional(),
      purpose: z.string().optional(),
      schedule: z.string().nullable().optional(),
      autoTrash: z.boolean().optional(),
      pauseAfterDays: z.number().optional(),
    })
    .optional(),
});
export type ChangeScoutRequest = z.infer<typeof changeScoutRequest>;

/** `POST /api/v1/scouts/{id}/reconnect`: settings that are other than they were; the rest stays as it is. */
export const reconnectRequest = z.strictObject({ settings: sourceSettings.default({}) });
/** What a scout sees at its source now. */
export const seesResponse = z.object({ sees: sourceSees });

/** `POST /api/v1/scouts/{id}/mute`: what comes from an address is dismissed from now on, or is judged again. */
export const muteRequest = z.strictObject({
  address: z.string().trim().min(1).max(320),
  muted: z.boolean().default(true),
});
/** How many senders of the scout are muted; who they are is kept nowhere. */
export const muteResponse = z.object({ mutedSenders: count });

/**
 * One run of a scout: what it listed. `at` is when it ended; `held` covers a wait in which nothing was listed, because of
 * `code`. Runs that found nothing leave no trace.
 */
export const scoutRun = z.object({
  id: z.string(),
  scoutId,
  at: timestamp,
  outcome: z.enum(["complete", "continued", "overtaken", "held"]),
  /** Items that were listed and queued to be judged, and the pages they came on. */
  queued: count,
  pages: count,
  durationMs: count,
  code: toldCodeOrNull,
});
export type ScoutRunResponse = z.infer<typeof scoutRun>;
/** `GET /api/v1/scouts/{id}/runs`: newest first, of the last thirty days. */
export const runListResponse = z.object({ runs: z.array(scoutRun), nextCursor });

/** `DELETE /api/v1/scouts/{id}` when there is more to remove than fits one request: ask again. */
export const deletionResponse = z.object({ deleted: z.literal(false) });

/** `POST /api/v1/scouts/{id}/run` */
export const runResponse = z.object({ queued: z.literal(true) });
