import * as z from "zod";
import { maxRunSteps } from "./frames/agents.ts";
import { deviceId, fileName, indexId, itemRef, projectId, runId, scoutId, sessionId, trialId, userId } from "./ids.ts";
import { objectKey } from "./payload.ts";

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

/**
 * Trial: "judge this item by the purpose that is tried". It goes to the queue its source's items are judged from; the
 * purpose stays in the trial's row, sealed. An item has its own message, so that a bad one holds no other up.
 */
export const trialMessage = z.object({
  v: z.literal(1),
  userId,
  scoutId,
  trialId,
  ref: itemRef,
  /** How often it was tried in vain, and how often source or budget had no room for now. */
  tries: z.number().int().nonnegative().default(0),
  waits: z.number().int().nonnegative().default(0),
  /** Tokens of answers that its earlier tries were billed for in vain; absent where there are none. */
  billed: z.number().int().nonnegative().optional(),
});
export type TrialMessage = z.infer<typeof trialMessage>;

/**
 * Content on a queue: sealed under the session's key with the message's identity as its context. It came in a frame of at
 * most 128 KB and SQS takes 1 MiB (quotas of both), so it always fits; `objects` are the uploads the frame named, deleted
 * once the outcome is written down, also when nothing opens any more.
 */
const content = { sealed: z.string(), objects: z.array(objectKey).max(20) };
const session = {
  userId,
  deviceId,
  sessionId,
  /** The connection the work was asked for on: answers go there first, then to the session's newest. */
  connectionId: z.string().min(1).max(128),
};

/** Summarize: "say in a line what this file is". One file a message; `file` makes a redelivery the same piece of work. */
export const summarizeMessage = z.object({
  v: z.literal(1),
  ...session,
  indexId,
  projectId,
  file: fileName,
  estimatedTokens: z.number().int().positive(),
  /** How often the model was asked in vain, and how often there was no room in the month's tokens for now. */
  tries: z.number().int().nonnegative().default(0),
  waits: z.number().int().nonnegative().default(0),
  ...content,
});
export type SummarizeMessage = z.infer<typeof summarizeMessage>;

/** Agent: "take this step of the run". */
export const agentMessage = z.object({
  v: z.literal(1),
  ...session,
  runId,
  step: z.number().int().min(0).max(maxRunSteps),
  /** How often it could not even be looked at. */
  tries: z.number().int().nonnegative().default(0),
  ...content,
});
export type AgentMessage = z.infer<typeof agentMessage>;
