import * as z from "zod";
import { categories, categorizeBounds, priorities } from "../proposals/categorize.ts";

const text = (most: number) => z.string().max(most).meta({ mayBeCut: true });
const day = z.string().max(40);

/**
 * What the agent `categorize` answers. Nothing of it is believed: the device checks each part against the item and what it
 * knows itself (device/categorize/agent/check-answer.ts).
 */
export const categorizeAnswer = z.object({
  category: z.enum(categories).describe("What the item is for the person who got it."),
  priority: z.enum(priorities).describe("How soon it deserves attention."),
  due: day
    .nullable()
    .describe("By when, as the item says it: 2026-11-27, or 2026-11-27T17:00:00 where it names a time."),
  projectId: z.string().max(64).nullable().describe("The id of the one listed project that the item names, or null."),
  draft: z.object({
    title: text(categorizeBounds.title).describe("What it would be called in a list, in the item's language."),
    note: text(3_000).describe("For a note what is to be kept, for a reply a draft of it; else empty."),
    start: day.nullable().describe("Of an event: 2026-11-27T17:00:00, or 2026-11-27 when it lasts all day."),
    end: day.nullable().describe("Of an event, of the same form; null when the item does not say."),
    place: text(300).describe("Of an event, as the item writes it; else empty."),
    people: z.array(text(120)).max(10).describe("Of an event, as the item writes them; else empty."),
  }),
  quotes: z
    .array(z.string().max(1_000))
    .max(categorizeBounds.quotes)
    .describe("Up to three passages that bear this out, copied letter by letter from the item."),
});
export type CategorizeAnswer = z.infer<typeof categorizeAnswer>;
