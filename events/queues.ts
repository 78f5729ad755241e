import * as z from "zod";
import { itemRef, scoutId, userId } from "./ids.ts";

/**
 * Sync: "look at this scout's source". Only a hint: position lives in the scout's row, so messages may be dropped by
 * coalescing, repeated or reordered without effect. FIFO group = scout; the dedupe id is the push's message id or a
 * ULID, never the history id (SQS remembers dedupe ids for five minutes and would swallow polls).
 */
export const syncMessage = z.object({
  v: z.literal(1),
  userId,
  scoutId,
  cause: z.enum(["push", "poll", "continue", "connected", "resumed", "manual"]),
});
export type SyncCause = z.infer<typeof syncMessage>["cause"];
export type SyncMessage = z.infer<typeof syncMessage>;

/** Triage: "judge this item". `MessageGroupId` = user, so that one person's flood leaves the others' items moving. */
export const triageMessage = z.object({ v: z.literal(1), userId, scoutId, ref: itemRef });
export type TriageMessage = z.infer<typeof triageMessage>;
