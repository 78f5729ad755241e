import * as z from "zod";
import { toldCodeOrNull } from "../told-code.ts";

const count = z.number().int().nonnegative();

/**
 * What a scout sees at its source, read for this answer and kept nowhere: `place` is a name (an account, a title, a path)
 * and `folders` are those of it that are read, none where it has none, `missing` those that are to be read and are not there; whoever
 * shows them makes the sentence. Counts are `null` where the source does not tell them. `push` says whether the source tells of news: `soon` until that has been asked of it, `off` when that failed
 * (`pushCode` says how), `never` where it cannot.
 */
export const sourceSees = z.object({
  place: z.string(),
  folders: z.array(z.string()),
  missing: z.array(z.string()).default([]),
  items: count.nullable(),
  unread: count.nullable(),
  pollEveryMs: z.number().positive(),
  push: z.enum(["on", "off", "soon", "never"]),
  pushCode: toldCodeOrNull,
});
export type SourceSees = z.infer<typeof sourceSees>;
