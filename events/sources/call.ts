import * as z from "zod";
import { itemRef, scoutId, userId } from "../ids.ts";
import { sourceSettings } from "./settings.ts";

const own = z.record(z.string(), z.string());

/**
 * What one function asks of another that alone can speak to a source: in memory from end to end, never on a queue. Whose
 * access it is, the called function opens by itself; only settings that nobody has kept yet travel with the call.
 */
export const sourceCall = z.object({
  v: z.literal(1),
  sourceType: z.string(),
  scout: z.object({ userId, scoutId }),
  ask: z.discriminatedUnion("what", [
    z.object({ what: z.literal("verify"), given: sourceSettings, own: own.optional() }),
    z.object({ what: z.literal("sees") }),
    z.object({ what: z.literal("cursor") }),
    z.object({ what: z.literal("list"), cursor: z.string(), page: z.string().optional() }),
    z.object({ what: z.literal("metadata"), refs: z.array(itemRef).max(100) }),
    // In words, as an item is judged, where a caller does not know of readings yet.
    z.object({ what: z.literal("content"), ref: itemRef, reading: z.enum(["words", "shown"]).optional() }),
    z.object({ what: z.literal("granted") }),
    z.object({ what: z.literal("archive"), ref: itemRef, state: z.string() }),
    z.object({ what: z.literal("restore"), ref: itemRef }),
    z.object({ what: z.literal("letGo") }),
  ]),
});
export type SourceCall = z.infer<typeof sourceCall>;
export type SourceAsk = SourceCall["ask"];
