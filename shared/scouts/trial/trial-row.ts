import * as z from "zod";
import { errorCodes } from "../../../events/error-kinds.ts";
import { trialVerdict } from "../../../events/http/trials.ts";
import { itemRef, scoutId, type TrialId, trialId } from "../../../events/ids.ts";
import { shownReasonCodeSchema } from "../../../events/proposals/verdict.ts";
import type { Result } from "../../billing/reservation.ts";
import type { ExpiryEntry } from "../../index-entries.ts";
import type { Item } from "../../ports/table.ts";
import { storedRow } from "../../stored-row.ts";
import { isAhead } from "../../until.ts";

/** A trial and its results are kept for so long: a device that was away has the day to come back. */
export const trialLifeMs = 12 * 3_600_000;

const trialRow = z.object({
  trialId,
  scoutId,
  /** JWE of the purpose that is tried, as the scout's own is kept; gone once every item has its result. */
  sealed: z.string().optional(),
  /** The items it looks at with the verdicts they have, newest first. */
  items: z.array(z.object({ ref: itemRef, verdict: trialVerdict, reasonCode: shownReasonCodeSchema })),
  /** Whether all of them are on the queue. */
  queued: z.boolean(),
  startedAt: z.number(),
  expiresAt: z.number(),
});
export type TrialRow = z.infer<typeof trialRow>;
/** A row with what only the table reads. */
export type StoredTrial = TrialRow & ExpiryEntry;

const triedRow = z.object({
  ref: itemRef,
  verdict: trialVerdict.optional(),
  reasonCode: shownReasonCodeSchema.optional(),
  confidence: z.number().optional(),
  /** Why there is no verdict. */
  code: z.enum(errorCodes).optional(),
  /** Input and output, of answers that were of no use as well. */
  tokens: z.number(),
  /** Of earlier tries that were billed in vain: settled with those, and told with the rest. */
  billedBefore: z.number().optional(),
  /** The reservation they were spent under. */
  reservation: z.string().optional(),
  finishedAt: z.number(),
  expiresAt: z.number(),
});
/** What came of an item: written once, whoever is first. */
export type TriedRow = z.infer<typeof triedRow>;

/** Rows past their time are as good as deleted. */
export function parseTrialRow(item: Item | undefined, nowMs: number): TrialRow | undefined {
  const row = item && storedRow(item, (stored) => trialRow.parse(stored));
  return row && isAhead(row.expiresAt, nowMs, trialLifeMs) ? row : undefined;
}

/** An item of a trial from its row. @throws row_damaged */
export function parseTriedRow(item: Item): TriedRow {
  return storedRow(item, (stored) => triedRow.parse(stored));
}

/** What binds the sealed purpose to its trial (associated data). */
export function trialContext(of: { userId: string; scoutId: string; trialId: string }): readonly string[] {
  return ["scouts/v1", "trial", of.userId, of.scoutId, of.trialId];
}

/** The name of an item's verdict in its owner's usage row, the same however often the item is delivered. */
export function trialOp(trial: TrialId, ref: string): string {
  return `${trial}.${ref}`;
}

/** What an item's row says of the tokens it took. */
export function tokensOf({ tokens: total, reservation }: TriedRow): Result {
  return reservation === undefined ? { total } : { total, reservation };
}
