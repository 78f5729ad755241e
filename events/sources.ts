import * as z from "zod";
import { errorCodes } from "./errors.ts";

/**
 * What a scout is told about its source when it is made, by names the source's connector has a schema for. Sources that
 * are connected by a consent need none. In the cloud they exist sealed only.
 */
export const sourceSettings = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/),
  z.union([z.string().max(4096), z.number(), z.boolean(), z.array(z.string().max(1024)).max(100)]),
);
export type SourceSettings = z.infer<typeof sourceSettings>;

const count = z.number().int().nonnegative();

/**
 * What a scout sees at its source, read for this answer and kept nowhere; counts are `null` where the source does not tell
 * them. `push` says whether the source tells of news: `soon` until that has been asked of it, `off` when that failed
 * (`pushCode` says how), `never` where it cannot.
 */
export const sourceSees = z.object({
  place: z.string(),
  items: count.nullable(),
  unread: count.nullable(),
  pollEveryMs: z.number().positive(),
  push: z.enum(["on", "off", "soon", "never"]),
  pushCode: z.enum(errorCodes).nullable(),
});
export type SourceSees = z.infer<typeof sourceSees>;
