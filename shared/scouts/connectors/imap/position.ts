import * as z from "zod";
import { storedText } from "../../../stored-row.ts";

/** UIDs and UIDVALIDITY are 32 bits; servers exceed the latter. */
const number = z.string().regex(/^\d{1,20}$/);

/** How far a folder has been read: every message below `next`, as long as the server's numbering is `validity`. */
const folderPlace = z.object({
  validity: number,
  next: z.number().int().positive(),
  /** Of a folder that is not there: the second at which it was last known to be complete. */
  completeAt: z.number().int().nonnegative().optional(),
});
export type FolderPlace = z.infer<typeof folderPlace>;

/** Folders by their tags; the second at which all of it was known to be complete. */
const cursorSchema = z.object({
  v: z.literal(1),
  completeAt: z.number().int().nonnegative(),
  /** Since which second refs are made of all that names a message; absent in positions of before that was so. */
  namedFrom: z.number().int().nonnegative().optional(),
  folders: z.record(z.string().regex(/^[\w-]{12}$/), folderPlace),
});
export type ImapCursor = Omit<z.infer<typeof cursorSchema>, "v">;

/** A listing under way: the folders that are through, and the one being read. */
const pageSchema = z.object({
  v: z.literal(1),
  startedAt: z.number().int().nonnegative(),
  done: z.record(z.string(), folderPlace),
  /** Since when a folder that was renumbered is searched. */
  gapFrom: z.number().int().nonnegative().optional(),
  now: z
    .object({
      tag: z.string(),
      validity: number,
      from: z.number().int().positive(),
      to: z.number().int().positive(),
      since: z.number().int().nonnegative().optional(),
    })
    .optional(),
});
export type ImapPage = Omit<z.infer<typeof pageSchema>, "v">;

/** A position as its row keeps it; {@link readCursor} reads it. */
export const writeCursor = (cursor: ImapCursor): string => JSON.stringify({ v: 1, ...cursor });
/** A listing under way as its row keeps it; {@link readPage} reads it. */
export const writePage = (page: ImapPage): string => JSON.stringify({ v: 1, ...page });

/** @throws row_damaged when the text is not one of ours */
export const readCursor = (text: string): ImapCursor => read(cursorSchema, text);
/** @throws row_damaged likewise */
export const readPage = (text: string): ImapPage => read(pageSchema, text);

function read<S extends z.ZodType>(schema: S, text: string): z.infer<S> {
  return storedText(text, "position", (stored) => schema.parse(JSON.parse(stored)));
}
