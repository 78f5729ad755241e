import * as z from "zod";
import { errorCodes } from "./errors.ts";
import { scoutId } from "./ids.ts";

const timestamp = z.number().int().nonnegative();
const code = z.enum(errorCodes);
const count = z.number().int().nonnegative();

/** How a scout is, for its owner: codes, counts and times. `GET /api/v1/scouts/{id}/health` */
export const scoutHealth = z.object({
  scoutId,
  /** `resting`: no device of the owner was seen for long, and the next hello wakes it; `paused`: by its owner. */
  state: z.enum(["active", "disabled", "paused", "resting", "not_connected"]),
  /** Why it is disabled. */
  disabledCode: code.nullable(),
  /** Since when it is in a state other than active, where that is known. */
  since: timestamp.nullable(),
  lastRunAt: timestamp.nullable(),
  lastPushAt: timestamp.nullable(),
  lastPollAt: timestamp.nullable(),
  nextRunAt: timestamp.nullable(),
  watch: z.object({
    /** `lapsed`: news arrives by polling only. */
    state: z.enum(["active", "lapsed", "none"]),
    expiresAt: timestamp.nullable(),
    failureCode: code.nullable(),
    failedAt: timestamp.nullable(),
  }),
  /** Runs that failed since the last good one. */
  failures: z.object({ count, code: code.nullable(), at: timestamp.nullable() }),
  /** Items without a verdict, by the reason they wait for. */
  backlog: z.object({ waiting: count, byCode: z.partialRecord(code, count), dead: count, complete: z.boolean() }),
  /** The last stretch that could not be replayed and was searched again. */
  gap: z.object({ from: timestamp, to: timestamp }).nullable(),
  /** Triage tokens of the current month (UTC): this scout's, its own cap, and its owner's over all scouts. */
  tokens: z.object({
    month: z.string(),
    scout: count,
    scoutCap: count.nullable(),
    owner: count,
    ownerCap: count.nullable(),
  }),
  /** What the source allows: share of the mailbox's burst that is free, 0 to 1. */
  quota: z.object({ unitsPerMinute: count, free: z.number().min(0).max(1) }).nullable(),
});
export type ScoutHealth = z.infer<typeof scoutHealth>;
