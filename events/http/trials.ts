import * as z from "zod";
import { itemRef, scoutId, trialId } from "../ids.ts";
import { shownReasonCodeSchema } from "../proposals/verdict.ts";
import { toldCodeOrNull } from "../told-code.ts";
import { dismissedAtSource } from "./items.ts";
import { count, timestamp } from "./page.ts";
import { purpose } from "./scouts.ts";

/** Items a trial looks at, at most. */
export const maxTrialItems = 50;

/** `POST /api/v1/scouts/{id}/trials`: sent again with the same id it starts no second one. */
export const startTrialRequest = z.strictObject({
  trialId,
  purpose,
  /** The scout's newest verdicts are those looked at again. */
  last: z.number().int().min(1).max(maxTrialItems).default(maxTrialItems),
});

/** `GET /api/v1/scouts/{id}/trials/{trial}`: with `source=read` what changes carries sender and subject. */
export const trialQuery = z.object({ source: z.enum(["read", "skip"]).default("skip") });

export const trialVerdict = z.enum(["relevant", "spam"]);

/** One item: the verdict it has, and the one it would have. */
export const trialItem = z.object({
  ref: itemRef,
  before: z.object({ verdict: trialVerdict, reasonCode: shownReasonCodeSchema }),
  /** `null` while it is not judged, and where it cannot be. Confidence is 0 to 1. */
  after: z.object({ verdict: trialVerdict, reasonCode: shownReasonCodeSchema, confidence: z.number() }).nullable(),
  /** Why it cannot be judged. */
  code: toldCodeOrNull,
  /** Only when it was asked for, and of items whose verdict would change. */
  atSource: dismissedAtSource.optional(),
});
export type TrialItem = z.infer<typeof trialItem>;

/** A trial as it stands: ids, codes, counts and times. Newest verdict first. */
export const trialResponse = z.object({
  id: trialId,
  scoutId,
  status: z.enum(["running", "completed"]),
  startedAt: timestamp,
  /** Results are kept until then. */
  expiresAt: timestamp,
  /** Items it looks at, and how many have their result. */
  total: count,
  judged: count,
  /** What came of those: proposed although dismissed before, dismissed although proposed, as before, not to be judged. */
  newlyProposed: count,
  newlyDismissed: count,
  unchanged: count,
  failed: count,
  tokensUsed: count,
  items: z.array(trialItem),
});
export type TrialResponse = z.infer<typeof trialResponse>;
