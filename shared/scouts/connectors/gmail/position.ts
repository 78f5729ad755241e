import * as z from "zod";
import { storedText } from "../../../stored-row.ts";

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

const cursorText = z
  .string()
  .regex(/^\d{1,40}\.\d{1,12}(?:\.r)?$/)
  .transform((text): GmailCursor => {
    const [historyId = "", seconds, recovered] = text.split(".");
    return { historyId, completeAtSeconds: Number(seconds), recovered: recovered !== undefined };
  });

/** @throws row_damaged when the text is not one of ours */
export function readCursor(text: string): GmailCursor {
  return storedText(text, "position", (stored) => cursorText.parse(stored));
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

/** @throws row_damaged when the text is not one of ours */
export function readPage(text: string): ListingPage {
  return storedText(text, "position", (stored) => listingPage.parse(JSON.parse(stored)));
}

/** Whether a history id is before another; of any length. */
export const isBehind = (id: string, other: string): boolean => BigInt(id) < BigInt(other);
