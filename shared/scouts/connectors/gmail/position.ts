import * as z from "zod";
import { ScoutsError } from "../../../../events/errors.ts";

/** A history id: decimal digits, beyond 2^53, so never a number. */
const historyId = z.string().regex(/^\d{1,40}$/);

/**
 * Where a mailbox has been read to: the history id, the second at which that was known to be complete (what a back-fill
 * searches from when the history is lost), and whether a back-fill led here and no history was read since.
 */
export interface GmailCursor {
  readonly historyId: string;
  readonly completeAtSeconds: number;
  readonly recovered: boolean;
}

/** A cursor as its row keeps it, `<history id>.<seconds>`, with `.r` when a back-fill led there. */
export function writeCursor(cursor: GmailCursor): string {
  return `${cursor.historyId}.${cursor.completeAtSeconds}${cursor.recovered ? ".r" : ""}`;
}

/** @throws internal when the text is not one of ours: the row was damaged. */
export function readCursor(text: string): GmailCursor {
  const match = /^(\d{1,40})\.(\d{1,12})(\.r)?$/.exec(text);
  if (!match?.[1] || !match[2]) throw new ScoutsError("internal", { data: { what: "cursor" } });
  return { historyId: match[1], completeAtSeconds: Number(match[2]), recovered: match[3] !== undefined };
}

/**
 * A listing under way. `target` is the history id to continue from when it is through: the one the first page named,
 * since changes made while we page may be on none of the pages.
 */
const listingPage = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("history"), token: z.string(), target: historyId, startedAtSeconds: z.number() }),
  z.object({
    kind: z.literal("backfill"),
    token: z.string().optional(),
    target: historyId,
    startedAtSeconds: z.number(),
    fromSeconds: z.number(),
  }),
]);
export type ListingPage = z.infer<typeof listingPage>;

/** A listing under way as its row keeps it; {@link readPage} reads it. */
export function writePage(page: ListingPage): string {
  return JSON.stringify(page);
}

/** @throws SyntaxError or ZodError when the text is not one of ours */
export function readPage(text: string): ListingPage {
  return listingPage.parse(JSON.parse(text));
}

/** Compares history ids of any length. */
export function laterHistoryId(a: string, b: string): string {
  return BigInt(a) >= BigInt(b) ? a : b;
}
