import * as z from "zod";

export const timestamp = z.number().int().nonnegative();
export const count = z.number().int().nonnegative();

/** Lists come in pages; `cursor` is the `nextCursor` of the page before, opaque and good for this list only. */
export const pageQuery = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().min(1).max(512).optional(),
});
export const nextCursor = z.string().nullable();
