import * as z from "zod";
import { errorCodes } from "../error-kinds.ts";
import { itemRef, scoutId } from "../ids.ts";
import { proposalMetadata } from "../proposals/metadata.ts";
import { keptReasons, spamReasonCodeSchema } from "../proposals/verdict.ts";
import { toldCode, toldCodeOrNull } from "../told-code.ts";
import { nextCursor, pageQuery, timestamp } from "./page.ts";

/** What the source shows of a dismissed item, read for this answer and kept nowhere, or why it was not read. */
export const dismissedAtSource = z.union([
  z.object({
    sender: z.object({ name: z.string(), address: z.string() }),
    subject: z.string(),
    receivedAt: timestamp,
    sentAt: proposalMetadata.shape.sentAt,
    arrivedAt: proposalMetadata.shape.arrivedAt,
  }),
  z.object({ code: toldCode }),
]);
export type DismissedAtSource = z.infer<typeof dismissedAtSource>;

/** A page of dismissed items; with `source=read` each is read at its source, within what the source allows. */
export const spamQuery = pageQuery.extend({ source: z.enum(["read", "skip"]).default("skip") });

/** An item judged as spam: ids, codes and times. Confidence is 0 to 1. */
export const spamItem = z.object({
  ref: itemRef,
  reasonCode: spamReasonCodeSchema,
  confidence: z.number(),
  triagedAt: timestamp,
  trashedAt: timestamp.nullable(),
  keptBecause: z.enum(keptReasons).nullable(),
  /** Only when it was asked for. */
  atSource: dismissedAtSource.optional(),
});

/** `GET /api/v1/scouts/{id}/spam`: newest first. */
export const spamListResponse = z.object({ items: z.array(spamItem), nextCursor });
export type SpamListResponse = z.infer<typeof spamListResponse>;

/** What keeps an item without a verdict: it waits, was set aside, or is shown to its owner as it is. */
export const shownItemStatus = z.enum(["dead", "deferred", "failed", "unjudged"]);
export type ShownItemStatus = z.infer<typeof shownItemStatus>;

/** `GET /api/v1/items`: a page may be empty although more follow. */
export const itemsQuery = pageQuery.extend({ status: shownItemStatus.optional(), scout: scoutId.optional() });

/** An item without a verdict: ids, codes and times. `nextLookAt` is when it is tried by itself, where it is. */
export const shownItem = z.object({
  scoutId,
  ref: itemRef,
  status: shownItemStatus,
  code: toldCodeOrNull,
  since: timestamp.nullable(),
  attempts: z.number().int().nonnegative(),
  nextLookAt: timestamp.nullable(),
});
export type ShownItem = z.infer<typeof shownItem>;
export const itemListResponse = z.object({ items: z.array(shownItem), nextCursor });
export type ItemListResponse = z.infer<typeof itemListResponse>;

/** `POST /api/v1/items/redrive`: these refs, all of a code, or all; of every scout or of one. */
export const redriveRequest = z
  .strictObject({
    refs: z.array(itemRef).min(1).max(50).optional(),
    code: z.enum(errorCodes).optional(),
    all: z.literal(true).optional(),
    scoutId: scoutId.optional(),
    /** The `nextCursor` of the answer before, to go on; not with refs. */
    cursor: z.string().min(1).max(512).optional(),
  })
  .refine(({ refs, code, all, cursor }) => {
    const ways = [refs, code, all].filter((way) => way !== undefined);
    return ways.length === 1 && !(refs && cursor !== undefined);
  });
/** How many are judged anew, and how many stay as they are; with a cursor, not all were looked at yet. */
export const redriveResponse = z.object({
  redriven: z.number().int().nonnegative(),
  refused: z.number().int().nonnegative(),
  nextCursor,
});
export type RedriveResponse = z.infer<typeof redriveResponse>;
