import * as z from "zod";
import { errorCodes } from "../../../events/error-kinds.ts";
import { deviceId, frameId, itemRef, scoutId, userId } from "../../../events/ids.ts";
import { decisionOutcomes, keptReasons, shownReasonCodeSchema } from "../../../events/proposals/verdict.ts";
import type { DueEntry, RecentEntry, TtlEntry } from "../../index-entries.ts";
import { splitItemKey } from "../../keys.ts";
import type { Item } from "../../ports/table.ts";
import { readEach, storedRow } from "../../stored-row.ts";

/**
 * An item's life: `failed | deferred → queued | spam | gone | dead`; `queued → delivered → acked`;
 * `queued | delivered → expired | gone`; `expired → gone` while no device has heard of it; `spam → queued` (restored);
 * `dead → deferred` (redriven); `gone → failed | deferred | queued | spam` when it comes back before it was judged. What can be read and not be judged is `queued` as well, with the reason code `unjudged`;
 * redriven it may still get a verdict, until its owner has decided: `queued | delivered → queued | spam`. A decision that
 * comes late counts all the same, while there is no other: `expired | gone | spam → acked`. What was decided may be opened
 * again: `acked, round n → queued, round n + 1`.
 */
export const itemStatuses = [
  "failed",
  "deferred",
  "queued",
  "spam",
  "delivered",
  "acked",
  "expired",
  "gone",
  "dead",
] as const;
export type ItemStatus = (typeof itemStatuses)[number];

/** States in which the item still waits for a verdict. */
export const waiting = ["failed", "deferred"] as const;
/** States in which a device may be offered the item. */
export const open = ["queued", "delivered"] as const;

/** What the Ledger holds of an item: ids, codes, counts, times. */
export const itemRow = z.object({
  userId,
  scoutId,
  ref: itemRef,
  sourceType: z.string(),
  status: z.enum(itemStatuses),
  reasonCode: shownReasonCodeSchema.optional(),
  confidence: z.number().optional(),
  inputTokens: z.number().default(0),
  outputTokens: z.number().default(0),
  model: z.string().optional(),
  promptVersion: z.string().optional(),
  /** The token reservation this result was written under: see shared/billing/token-budget.ts. */
  reservation: z.string().optional(),
  attempts: z.number().default(0),
  /** How often its request failed as if the model were to blame, while the model answered others. */
  alone: z.number().default(0),
  /** How often its metadata was about to be read without its content, which had taken its worker with it. */
  looks: z.number().default(0),
  /** Shown unjudged and to be judged after all, since then. */
  redrivenAt: z.number().optional(),
  /** When it last came to wait, or to an end. */
  changedAt: z.number().optional(),
  code: z.enum(errorCodes).optional(),
  dueAt: z.number().optional(),
  triagedAt: z.number().optional(),
  /** What the source showed of the item's state when it was judged; opaque, and only compared. */
  sourceState: z.string().optional(),
  /** Spam its scout may move to Trash: not yet decided, moved, or left where it was. */
  trash: z.enum(["due", "trashed", "kept"]).optional(),
  trashedAt: z.number().optional(),
  keptBecause: z.enum(keptReasons).optional(),
  /** When its owner turned the verdict from spam to relevant. */
  restoredAt: z.number().optional(),
  /** Counts how often it was opened for decision; a row from before there were rounds is in its first. */
  round: z.number().int().positive().default(1),
  /** When this round began; absent for the first, which begins with the verdict. */
  openedAt: z.number().optional(),
  /** What the round was decided as, and the frame that did: only together with `acked`. */
  outcome: z.enum(decisionOutcomes).optional(),
  decidedBy: frameId.optional(),
  /** The device that has the proposal read by a model, in which round, and until when no other may. */
  readBy: deviceId.optional(),
  readRound: z.number().int().positive().optional(),
  readUntil: z.number().optional(),
  /** When it was closed without a decision, or another came into its place before it was judged. */
  closedAt: z.number().optional(),
  /** Where the item stands in the `recent` index: see `recentOf` in keys.ts. */
  openAt: z.string().optional(),
  /** Devices that have stored the proposal, with the time of their ack. */
  on: z.record(z.string(), z.number()).default({}),
});
export type ItemRow = z.infer<typeof itemRow>;
/** A row with what only the table reads. */
export type StoredItem = ItemRow & DueEntry & RecentEntry & TtlEntry & { readonly ackedAt?: number };

/** Reads a row; whose it is and what it is about stands in the key only. @throws row_damaged */
export function parseItemRow(item: Item): ItemRow {
  return storedRow(item, (stored) => itemRow.parse({ ...stored, ...splitItemKey(stored) }));
}

/**
 * The same for a list or a count: a damaged row is one that waits for its operator, under the code that says so, and keeps no other
 * from being shown. Of it only the key is known.
 */
export function shownRow(item: Item): ItemRow {
  const [row] = readEach([item], parseItemRow).read;
  if (row) return row;
  const known = { ...splitItemKey(item), sourceType: "", status: "failed", code: "row_damaged" };
  return itemRow.parse(known);
}

/** Whether the item still waits for a verdict. */
export function waits({ status }: Pick<ItemRow, "status">): boolean {
  return waiting.some((each) => each === status);
}

/** Gone before it was judged, and nothing in its place. A source that names it again has it back. */
export const isMissed = ({
  status,
  triagedAt,
  closedAt,
}: Pick<ItemRow, "status" | "triagedAt" | "closedAt">): boolean =>
  status === "gone" && triagedAt === undefined && closedAt === undefined;

/** Shown to its owner without a verdict. */
export function isUnjudged({ status, reasonCode }: Pick<ItemRow, "status" | "reasonCode">): boolean {
  return reasonCode === "unjudged" && open.some((each) => each === status);
}

/** Shown without a verdict, and asked to be judged after all. */
export function isRedriven(row: Pick<ItemRow, "status" | "reasonCode" | "redrivenAt">): boolean {
  return isUnjudged(row) && row.redrivenAt !== undefined;
}

/** A proposal expires this long after triage, or after it was opened again. */
export const expiryMs = 30 * 86_400_000;

/** Whether a proposal has waited for a decision too long. */
export function isExpired(
  { triagedAt, openedAt = triagedAt }: Pick<ItemRow, "triagedAt" | "openedAt">,
  nowMs: number,
): boolean {
  return openedAt !== undefined && nowMs - openedAt > expiryMs;
}

/** It expired before any device had stored it: it stays in the `recent` index until one has been told. */
export function isUnseen({ status, openAt }: Pick<ItemRow, "status" | "openAt">): boolean {
  return status === "expired" && openAt !== undefined;
}

/** Rows are deleted this long after triage, counted in DynamoDB's TTL unit, seconds. */
export const rowLifeSeconds = 90 * 86_400;

/** The `recent` index's range key: time first, and unique so that it serves as a cursor. */
export function openAtOf(triagedAtMs: number, scout: string, ref: string): string {
  return `${String(triagedAtMs).padStart(15, "0")}#${scout}#${ref}`;
}

const latestMs = 10 ** 15 - 1;

/** The `recent` index's range key of spam: newest first, since a table is read upwards only. */
export function spamAtOf(triagedAtMs: number, ref: string): string {
  return `${String(latestMs - triagedAtMs).padStart(15, "0")}#${ref}`;
}

/** When what stands there was judged: the inverse of {@link spamAtOf}. */
export function spamTimeOf(openAt: string): number {
  return latestMs - Number.parseInt(openAt, 10);
}
