import * as z from "zod";
import { threadRef } from "../ids.ts";

/**
 * Longest texts of a proposal's subject, snippet and metadata, and of a place a scout looks at, in UTF-16 units, and how
 * many attachments are named: a stranger writes them, and a proposal has to fit one frame. RFC 5322 lines end at 998 characters, addresses at 254
 * (RFC 5321 §4.5.3); what is longer is nobody's honest subject or name.
 */
export const metadataBounds = {
  subject: 500,
  senderName: 200,
  senderAddress: 320,
  snippet: 500,
  listId: 200,
  attachmentName: 200,
  attachments: 20,
  threadRef: 128,
  sourceLink: 2_000,
  place: 200,
  headerField: 1_000,
  headerFields: 100,
  /** Of all fields of a header together. */
  header: 12_000,
} as const;

/** Times a `Date` can hold, in milliseconds since 1970 (ECMA-262 §21.4.1.1). */
export const longestDateMs = 8.64e15;

/** Kiritimati's clocks are fourteen hours ahead of UTC, no others further from it. */
export const furthestClockMinutes = 14 * 60;

/** What is known of an item beside its text; what its source does not say is absent. */
export const proposalMetadata = z.object({
  /** Either may be empty. As its sender writes it: nobody has checked it. */
  sender: z.object({
    name: z.string().max(metadataBounds.senderName),
    address: z.string().max(metadataBounds.senderAddress),
  }),
  /** When its sender says it was sent, in milliseconds since 1970. */
  sentAt: z.number().int().min(-longestDateMs).max(longestDateMs).optional(),
  /** How far its sender's clock was ahead of UTC, in minutes; absent where that is not known. */
  sentOffsetMinutes: z.number().int().min(-furthestClockMinutes).max(furthestClockMinutes).optional(),
  /** When a server of its reader took it in, as that server wrote into it, in milliseconds since 1970; absent where none did. */
  arrivedAt: z.number().int().min(-longestDateMs).max(longestDateMs).optional(),
  /** How it came to its reader: addressed to them, in copy, through a list that is written to, or sent to many alike. */
  relation: z.enum(["to", "cc", "list", "bulk", "unknown"]),
  /** Items of one source type with the same are of one conversation. Opaque. */
  threadRef: threadRef.optional(),
  /** Absent: not known; empty: there are none. The last place may say how many more there are. */
  attachments: z
    .array(z.object({ name: z.string().max(metadataBounds.attachmentName), sizeBytes: z.number().int().nonnegative() }))
    .max(metadataBounds.attachments)
    .optional(),
  /** The list's own id (RFC 2919). */
  listId: z.string().max(metadataBounds.listId).optional(),
  /** Sent by a program and not by a person (RFC 3834). */
  automatic: z.boolean(),
  /** Where a person can open the item at its source: https or http. */
  sourceLink: z.string().max(metadataBounds.sourceLink).optional(),
});
export type ProposalMetadata = z.infer<typeof proposalMetadata>;
