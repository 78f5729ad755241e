import * as z from "zod";
import { proposalId, scoutId } from "../ids.ts";
import { proposalMetadata } from "./metadata.ts";
import { maxReasonCharacters, shownReasonCodeSchema } from "./verdict.ts";

/**
 * Counts how often a proposal was opened for decision. Who does not know of rounds knows the first only, and means that.
 */
export const round = z.number().int().positive().max(1_000_000).default(1);

/** A proposal as a device gets it. Subject, snippet, reason and metadata exist only in this frame and on the device. */
export const proposal = z.object({
  id: proposalId,
  scoutId,
  sourceType: z.string().regex(/^[a-z][a-z0-9_-]{0,31}$/),
  sourceMsgRef: z.string().max(128),
  rawSubject: z.string().nullable(),
  rawSnippet: z.string().nullable(),
  reason: z.string().max(maxReasonCharacters).nullable(),
  reasonCode: shownReasonCodeSchema,
  triagedAt: z.number().int().nonnegative(),
  round,
  /** Absent where the source could not be read. What is told otherwise than here keeps nobody from the proposal. */
  metadata: proposalMetadata.optional().catch(undefined),
  category: z.literal("unprocessed"),
  payload: z.null(),
});
export type Proposal = z.infer<typeof proposal>;
