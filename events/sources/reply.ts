import * as z from "zod";
import { errorCodes } from "../error-kinds.ts";
import { itemRef } from "../ids.ts";
import { itemHeader } from "../proposals/item.ts";
import { keptReasons } from "../proposals/verdict.ts";
import { mailTraits } from "./mail-traits.ts";

/** A failure by its code and the facts that are safe to say. */
const failed = z.object({
  code: z.enum(errorCodes),
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** With `source_folder_unknown`: which; for an answer to their owner. */
  folders: z.array(z.string()).optional(),
});

const carriedSees = z.object({
  place: z.string(),
  folders: z.array(z.string()),
  missing: z.array(z.string()).default([]),
  items: z.number().optional(),
  unread: z.number().optional(),
});

const metadata = z.object({
  subject: z.string(),
  sender: z.object({ name: z.string(), address: z.string() }),
  snippet: z.string(),
  receivedAtMs: z.number(),
  sentAt: z.number().optional(),
  sentOffsetMinutes: z.number().optional(),
  arrivedAt: z.number().optional(),
  relation: z.enum(["to", "cc", "list", "bulk", "unknown"]),
  threadRef: z.string().optional(),
  attachments: z.array(z.object({ name: z.string(), sizeBytes: z.number() })).optional(),
  listId: z.string().optional(),
  automatic: z.boolean(),
  sourceLink: z.string().optional(),
  present: z.boolean(),
  state: z.string().optional(),
});
export type CarriedMetadata = z.infer<typeof metadata>;

/** The answer to a {@link sourceCall}, under the name of what was asked; content among it, so it is written down nowhere. */
export const sourceReply = z.object({
  v: z.literal(1),
  answer: z.discriminatedUnion("what", [
    z.object({ what: z.literal("failed"), failed }),
    z.object({
      what: z.literal("verify"),
      sees: carriedSees,
      identity: z.string(),
      alsoKnownAs: z.array(z.string()).optional(),
      own: z.record(z.string(), z.string()).optional(),
      cursor: z.string(),
    }),
    z.object({ what: z.literal("sees"), sees: carriedSees }),
    z.object({ what: z.literal("cursor"), cursor: z.string() }),
    z.object({
      what: z.literal("list"),
      refs: z.array(itemRef),
      nextPage: z.string().optional(),
      cursor: z.string().optional(),
      gap: z.object({ fromMs: z.number(), toMs: z.number() }).optional(),
      lacks: z.enum(errorCodes).optional(),
    }),
    z.object({
      what: z.literal("metadata"),
      items: z.array(z.union([z.object({ read: metadata }), z.object({ failed })])),
    }),
    z.object({
      what: z.literal("content"),
      read: metadata,
      header: itemHeader.optional(),
      text: z.string(),
      // From a function that does not know of readings yet: it gives both, whichever was asked for.
      shown: z.string().optional(),
      otherText: z.string().optional(),
      isCut: z.literal(true).optional(),
      // A newer function may name traits that this one has no word for: the mail is judged without.
      traits: z.array(z.enum(mailTraits)).optional().catch(undefined),
      machineParts: z.object({ calendars: z.array(z.string()), linkedData: z.array(z.string()) }).optional(),
    }),
    z.object({ what: z.literal("granted"), granted: z.boolean() }),
    z.object({ what: z.literal("archive"), outcome: z.enum(["archived", "there", ...keptReasons]) }),
    z.object({ what: z.literal("restore") }),
    z.object({ what: z.literal("letGo") }),
  ]),
});
export type SourceReply = z.infer<typeof sourceReply>;
export type SourceAnswer = SourceReply["answer"];
