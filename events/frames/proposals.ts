import * as z from "zod";
import { frameId, proposalId, scoutId } from "../ids.ts";
import { proposal, round } from "../proposals/proposal.ts";
import { decisionOutcomes } from "../proposals/verdict.ts";
import { socketLimits } from "./limits.ts";

const id = frameId;

/** Where a device has read to in its user's open proposals: opaque, given out by `proposals_page`. */
export const proposalCursor = z.string().regex(/^[\w.~:=+#-]{1,256}$/);

const proposalsPull = z.object({
  type: z.literal("proposals_pull"),
  id,
  after: proposalCursor.optional(),
  limit: z.number().int().min(1).max(socketLimits.pageSize),
  /**
   * Until when, by the cloud's clock, the device certainly holds all that it has acknowledged: what it acknowledged later is given
   * again, since its store may have been restored from an older copy.
   */
  acksUntil: z.number().int().nonnegative().optional(),
});

const proposalAck = z.object({ type: z.literal("scout_proposal_ack"), id, proposalId, round });
/** Of first rounds only. */
const proposalsAck = z.object({
  type: z.literal("scout_proposals_ack"),
  id,
  proposalIds: z.array(proposalId).min(1).max(socketLimits.acksPerFrame),
});
const proposalResolved = z.object({
  type: z.literal("scout_proposal_resolved"),
  id,
  proposalId,
  round,
  outcome: z.enum(decisionOutcomes),
});
const proposalReopen = z.object({ type: z.literal("scout_proposal_reopen"), id, proposalId, round });
/** Proposals a device may ask about in one frame: what a table reads in one request. */
export const maxCheckedProposals = 100;
const proposalsCheck = z.object({
  type: z.literal("proposals_check"),
  id,
  /** What is pending here. */
  proposalIds: z.array(proposalId).max(maxCheckedProposals),
  /** In which round the device has decided these: they are told of only when a later one has ended. */
  decided: z.array(z.object({ proposalId, round })).max(maxCheckedProposals).optional(),
});

/** What a device says of proposals. */
export const proposalClientFrames = [
  proposalsPull,
  proposalAck,
  proposalsAck,
  proposalResolved,
  proposalReopen,
  proposalsCheck,
] as const;

const scoutProposal = z.object({ type: z.literal("scout_proposal"), proposal });
/** As many as were found together and fit one message; only to a device that takes them. */
const scoutProposals = z.object({
  type: z.literal("scout_proposals"),
  proposals: z.array(proposal).min(1).max(socketLimits.pageSize),
});
const proposalsPage = z.object({
  type: z.literal("proposals_page"),
  inReplyTo: frameId,
  /** How many `scout_proposal` frames went before on account of this pull. */
  count: z.number().int().nonnegative(),
  /** Present when more may follow at once: pull again with it when the page is stored. */
  next: proposalCursor.optional(),
  /** Where to begin next time, already set back by the overlap that inexact clocks and indexes need. */
  resume: proposalCursor.optional(),
});
const proposalClosed = z.object({
  type: z.literal("scout_proposal_closed"),
  proposalId,
  /** Absent where the cloud knows nothing of the proposal any more: whatever round the device is in, there is none. */
  round: round.removeDefault().optional(),
  /** As what it was decided, where it was. */
  outcome: z.enum(decisionOutcomes).optional(),
  /** `dismissed`: it was shown unjudged, and judged as spam since. */
  reason: z.enum(["resolved_elsewhere", "gone", "expired", "restored", "dismissed"]),
});
/** Its proposals cannot be read, and no decision of them counts, any more. */
const scoutRemoved = z.object({ type: z.literal("scout_removed"), scoutId });

/** What the cloud says of them. */
export const proposalServerFrames = [
  scoutProposal,
  scoutProposals,
  proposalsPage,
  proposalClosed,
  scoutRemoved,
] as const;
