import * as z from "zod";

/**
 * What a scout is told about its source when it is made, by names the source's connector has a schema for. Sources that
 * are connected by a consent need none. In the cloud they exist sealed only.
 */
export const sourceSettings = z.record(
  z.string().regex(/^[a-z][A-Za-z0-9]{0,31}$/),
  z.union([z.string().max(4096), z.number(), z.boolean(), z.array(z.string().max(1024)).max(100)]),
);
export type SourceSettings = z.infer<typeof sourceSettings>;
