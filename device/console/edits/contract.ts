import * as z from "zod";
import { mostEditedChars } from "../../projects/edit-text.ts";

const edited = { path: z.string().min(1).max(4_095), approves: z.boolean().default(false) };
const text = z.string().max(mostEditedChars * 2);
const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const editRequest = z.strictObject(edited);
export const saveRequest = z.strictObject({ ...edited, text, baseHash: hash.nullable() });
export const mergeRequest = z.strictObject({ ...edited, base: text, mine: text });

/** What a draft is called: random, and no word of anybody. */
const draftId = z.string().regex(/^[\w-]{22}$/);
export const draftParam = z.object({ id: draftId });
/** What a tab has encrypted; nobody here reads it. In base64. */
export const draftRequest = z.strictObject({
  sealed: z.base64().max(8_000_000),
  /** Milliseconds since the epoch: the later of two is the draft. */
  at: z.int().nonnegative(),
});
