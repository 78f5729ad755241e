import * as z from "zod";

/** What a feed's scout must be told: where the feed is. Credentials in the address would end up in other servers' logs. */
export const feedSettings = z.object({
  sourceType: z.literal("feed"),
  url: z
    .url({ protocol: /^https?$/, hostname: /./ })
    .max(2048)
    .refine((text) => {
      const url = URL.parse(text);
      return url !== null && url.username === "" && url.password === "";
    }),
});

/**
 * What a scout must be told about its source when it is made, by source type. Sources that are connected by a consent
 * (Gmail) need none. In the cloud they exist sealed only.
 */
export const sourceSettings = z.discriminatedUnion("sourceType", [feedSettings]);
export type SourceSettings = z.infer<typeof sourceSettings>;
