import * as z from "zod";
import { errorCodes } from "../../events/error-kinds.ts";
import { scoutId, userId } from "../../events/ids.ts";
import { unreachedReasons } from "../../events/sources/unreached.ts";
import type { DueEntry } from "../index-entries.ts";
import type { Condition, Item } from "../ports/table.ts";
import { storedRow } from "../stored-row.ts";

/** What the Ledger holds of a scout. Name and purpose are in `sealed`; positions are opaque. */
export const scoutRow = z.object({
  userId,
  scoutId,
  sourceType: z.string(),
  /** JWE of {@link scoutProfile}, bound to user and scout. */
  sealed: z.string(),
  /** JWE of what its connector keeps of the source's settings, bound to user and scout. */
  sealedSettings: z.string().optional(),
  /** JWE of what has become of a grant in those settings, bound likewise: the tokens that are good now. */
  sealedGrant: z.string().optional(),
  /** Until when somebody has the turn to spend that grant. */
  refreshUntil: z.number().optional(),
  createdAt: z.number(),
  /** Counts commits of the position: who finds another number has been overtaken. */
  revision: z.number().default(0),
  cursor: z.string().optional(),
  page: z.string().optional(),
  /** HMAC of the address at the source; present while connected. */
  address: z.string().optional(),
  /** The address it was connected to before: its watch there is yet to be given up. */
  formerAddress: z.string().optional(),
  watchExpiresAt: z.number().optional(),
  lastRunAt: z.number().optional(),
  lastPushAt: z.number().optional(),
  /** When it is to be looked at next; for a scout that is not at work: its watch is to be given up then. */
  dueAt: z.number().optional(),
  disabledCode: z.enum(errorCodes).optional(),
  /** Cron in UTC; the default interval when absent. */
  schedule: z.string().optional(),
  /** Whether its owner lets it move spam to Trash. */
  autoTrash: z.boolean().optional(),
  /** Senders its owner has muted, by HMAC under the key in {@link scoutProfile}. */
  muted: z.record(z.string(), z.boolean()).optional(),
  /** Paused by its owner; the position stays. */
  paused: z.boolean().optional(),
  /** Being deleted: see delete-scout.ts. */
  deleting: z.boolean().optional(),
  connectedAt: z.number().optional(),
  disabledAt: z.number().optional(),
  /** Resting since then, because no device of its owner was seen; the next one wakes it. */
  inactiveAt: z.number().optional(),
  /** After so many days without a device it rests; `usualRestDays` when absent. */
  pauseAfterInactiveDays: z.number().optional(),
  /** The scout's own cap of triage tokens a month, beside its owner's. */
  monthlyTokens: z.number().optional(),
  lastPollAt: z.number().optional(),
  /** The last daily pass. */
  maintainedAt: z.number().optional(),
  watchFailureCode: z.enum(errorCodes).optional(),
  watchFailedAt: z.number().optional(),
  /** Runs that failed since the last good one. */
  failures: z.number().optional(),
  failureCode: z.enum(errorCodes).optional(),
  /** Why the source was not reached, where that is known, and what it answered with. */
  failureReason: z.enum(unreachedReasons).optional(),
  failureStatus: z.number().optional(),
  failedAt: z.number().optional(),
  /** When the first of those runs failed; absent in rows of before it was kept. */
  failingSince: z.number().optional(),
  /** Since when its sign-in is refused each time, while that may pass. */
  refusedSince: z.number().optional(),
  /** Its owner was told that it waits for the model, which cannot be asked since then. */
  heldSince: z.number().optional(),
  /** When the last such wait was over: devices that were away are told for a while. */
  heldUntil: z.number().optional(),
  gapFrom: z.number().optional(),
  gapTo: z.number().optional(),
  /** Nothing of that time could be looked at again. */
  gapMissed: z.boolean().optional(),
});
export type ScoutRow = z.infer<typeof scoutRow>;
/** A row with what only the table reads. */
export type StoredScout = ScoutRow & DueEntry;

/** What a scout that failed carries. */
export const failureFacts = [
  "failures",
  "failureCode",
  "failureReason",
  "failureStatus",
  "failedAt",
  "failingSince",
  "refusedSince",
] as const;
export type FailureFacts = Pick<ScoutRow, (typeof failureFacts)[number]>;
/** Those that only some failures have: the last one's are not the next one's. */
export const reasonFacts = ["failureReason", "failureStatus", "refusedSince"] as const;
/** What a scout knows of its watch. Who goes back to work forgets it: it may have been stopped meanwhile. */
export const watchFacts = ["watchExpiresAt", "watchFailureCode", "watchFailedAt"] as const;

/** Whether a scout looks at its source: nobody has switched it off, its owner has not paused it, and it does not rest. */
export function isAtWork(row: Pick<ScoutRow, "disabledCode" | "paused" | "inactiveAt">): boolean {
  return row.disabledCode === undefined && row.paused !== true && row.inactiveAt === undefined;
}

/** That a stored row is of one that does not. */
export const whileIdle: Condition = {
  any: [{ exists: ["disabledCode"] }, { exists: ["paused"] }, { exists: ["inactiveAt"] }],
};
/** The opposite. The time at which a scout that is not at work is due belongs to who made it so. */
export const whileAtWork: Condition = {
  all: [{ exists: ["pk"] }, { absent: ["disabledCode"] }, { absent: ["paused"] }, { absent: ["inactiveAt"] }],
};

/** The part of a scout only its owner and its prompt may read. */
export const scoutProfile = z.object({
  name: z.string(),
  purpose: z.string(),
  /** What muted senders are blinded with; made for the first of them. */
  muteKey: z.string().optional(),
});
export type ScoutProfile = z.infer<typeof scoutProfile>;

/** A scout from its row; name and purpose are still sealed. @throws row_damaged */
export function parseScoutRow(item: Item): ScoutRow {
  return storedRow(item, (stored) => scoutRow.parse(stored));
}

/** What is sealed of a scout; reseal.ts knows where each is kept. */
export type SealedPart = "profile" | "vault" | "settings" | "grant" | "position";

/** What binds a scout's sealed texts to it (associated data). */
export function sealingContext(of: { userId: string; scoutId: string }, what: SealedPart): readonly string[] {
  return ["scouts/v1", what, of.userId, of.scoutId];
}

/** Why the source was not reached, as it is told; nothing of a failure of another kind. */
export function toldReasonOf({ failureCode, failureReason: reason, failureStatus: status }: ScoutRow) {
  if (failureCode !== "source_unavailable" || reason === undefined) return {};
  return { reason, ...(status !== undefined && { status }) };
}
