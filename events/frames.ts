import * as z from "zod";
import { agentClientFrames, agentServerFrames } from "./agents.ts";
import { errorCodes } from "./error-kinds.ts";
import { folderClientFrames, folderServerFrames } from "./folders.ts";
import { scoutHealth } from "./health.ts";
import { deviceId, frameId, proposalId, scoutId, sessionId, threadRef } from "./ids.ts";
import { decisionOutcomes, maxReasonCharacters, shownReasonCodeSchema } from "./verdict.ts";

/** The protocol's version; `hello` names it and another one is refused. */
export const protocolVersion = 1;

/** Limits of API Gateway WebSocket APIs (quotas page) and our own, told to the device in `session_ready`. */
export const socketLimits = {
  frameBytes: 32 * 1024,
  messageBytes: 128 * 1024,
  idleMs: 10 * 60_000,
  lifeMs: 2 * 3_600_000,
  pageSize: 50,
  /** Proposals a `scout_proposals_ack` may name; a cloud that does not tell it takes one ack a frame. */
  acksPerFrame: 50,
  /** Items a `scout_items_request` may name; a cloud that does not tell it takes one request a frame. */
  itemsPerFrame: 8,
  /** Below `idleMs` with room for a late timer; docs/decisions/0023 says why no more often. */
  pingEveryMs: 8 * 60_000,
} as const;

const timestamp = z.number().int().nonnegative();
const id = frameId;

/** Where a device has read to in its user's open proposals: opaque, given out by `proposals_page`. */
export const proposalCursor = z.string().regex(/^[\w.~:=+#-]{1,256}$/);

const hello = z.object({
  type: z.literal("hello"),
  id,
  protocol: z.number().int(),
  deviceId,
  /** The device takes `scout_proposals`: absent where it knows only the frame for one. */
  takesProposals: z.literal(true).optional(),
});
const ping = z.object({ type: z.literal("ping"), id });
const bye = z.object({ type: z.literal("bye"), id });
const proposalsPull = z.object({
  type: z.literal("proposals_pull"),
  id,
  after: proposalCursor.optional(),
  limit: z.number().int().min(1).max(socketLimits.pageSize),
});
/**
 * Counts how often a proposal was opened for decision. Who does not know of rounds knows the first only, and means that.
 */
const round = z.number().int().positive().max(1_000_000).default(1);

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
const itemRequest = z.object({
  type: z.literal("scout_item_request"),
  id,
  proposalId,
  /** Nobody waits for it: what its source allows a minute stays free for those who do. */
  background: z.literal(true).optional(),
});
/** Nobody waits for these: what their source allows a minute stays free for those who do. */
const itemsRequest = z.object({
  type: z.literal("scout_items_request"),
  id,
  proposalIds: z.array(proposalId).min(1).max(socketLimits.itemsPerFrame),
});

/** Everything a device may say. */
export const clientFrame = z.discriminatedUnion("type", [
  hello,
  ping,
  bye,
  proposalsPull,
  proposalAck,
  proposalsAck,
  proposalResolved,
  proposalReopen,
  proposalsCheck,
  itemRequest,
  itemsRequest,
  ...folderClientFrames,
  ...agentClientFrames,
]);
export type ClientFrame = z.infer<typeof clientFrame>;
export type ClientFrameType = ClientFrame["type"];

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
  triagedAt: timestamp,
  round,
  /** Absent where the source could not be read. What is told otherwise than here keeps nobody from the proposal. */
  metadata: proposalMetadata.optional().catch(undefined),
  category: z.literal("unprocessed"),
  payload: z.null(),
});
export type Proposal = z.infer<typeof proposal>;

const sessionReady = z.object({
  type: z.literal("session_ready"),
  inReplyTo: frameId,
  sessionId,
  sessionKey: z.string(),
  limits: z.record(z.string(), z.number()),
  serverTime: timestamp,
});
const accepted = z.object({
  type: z.literal("accepted"),
  inReplyTo: frameId,
  /** What became of a decision: it counts, or another one did, of its round or of a later one. */
  decision: z.enum(["counted", "decided_elsewhere"]).optional(),
  /** As what the proposal is decided, and in which round; without an outcome that round is open. */
  outcome: z.enum(decisionOutcomes).optional(),
  round: round.removeDefault().optional(),
});
const pong = z.object({ type: z.literal("pong"), inReplyTo: frameId });
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

/**
 * The header of an item that has one, as its source gives it, for whoever wants to see where it comes from: its first
 * fields, long ones cut, and how many there were beyond. Read for one answer, kept nowhere.
 */
export const itemHeader = z.object({
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  leftOut: z.number().int().nonnegative(),
});
export type ItemHeader = z.infer<typeof itemHeader>;

const itemPart = z.object({
  proposalId,
  subject: z.string().nullable(),
  sender: z.string().nullable(),
  /** With the first part, where the source has one. */
  header: itemHeader.optional(),
  part: z.number().int().positive(),
  parts: z.number().int().positive(),
  text: z.string(),
  /** This part of what it says for programs: all parts together are the JSON of `itemMachineParts`, or nothing. */
  machine: z.string().optional(),
});
export type ItemPart = z.infer<typeof itemPart>;

const scoutItem = itemPart.extend({ type: z.literal("scout_item"), inReplyTo: frameId });
/** As many parts as one message holds, and which items cannot be read; more such frames follow until each is answered. */
const scoutItems = z.object({
  type: z.literal("scout_items"),
  inReplyTo: frameId,
  parts: z.array(itemPart),
  refused: z.array(z.object({ proposalId, code: z.enum(errorCodes) })),
});

/** What an item says for programs: calendar parts (RFC 5545) and JSON-LD (schema.org), as a stranger wrote them. */
export const itemMachineParts = z.object({ calendars: z.array(z.string()), linkedData: z.array(z.string()) });
export type ItemMachineParts = z.infer<typeof itemMachineParts>;
const reauthRequired = z.object({
  type: z.literal("scout_reauth_required"),
  scoutId,
  code: z.enum(errorCodes),
  since: timestamp,
});
/** Sent at hello for a scout that has something to tell: off, failing, told of nothing by its source, or with a gap. */
const health = z.object({ type: z.literal("scout_health"), health: scoutHealth });
const errorFrame = z.object({
  type: z.literal("error"),
  code: z.enum(errorCodes),
  message: z.string(),
  inReplyTo: frameId.optional(),
  /** Facts of the refusal: a limit, a time. */
  data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});

/** Everything the cloud may say to a device. */
export const serverFrame = z.discriminatedUnion("type", [
  sessionReady,
  accepted,
  pong,
  scoutProposal,
  scoutProposals,
  proposalsPage,
  proposalClosed,
  scoutRemoved,
  scoutItem,
  scoutItems,
  reauthRequired,
  health,
  ...folderServerFrames,
  ...agentServerFrames,
  errorFrame,
]);
export type ServerFrame = z.infer<typeof serverFrame>;
/** @internal for the notes of docs/protocol.md */
export type ServerFrameType = ServerFrame["type"];
