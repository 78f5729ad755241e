import { sql } from "drizzle-orm";
import { blob, check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ErrorCode } from "../../events/error-kinds.ts";
import type { DeviceId, FrameId, ProjectId, ProposalId, ScoutId, SessionId } from "../../events/ids.ts";
import type { Category, Priority } from "../../events/proposals/categorize.ts";
import type { ProposalMetadata } from "../../events/proposals/metadata.ts";
import { decisionOutcomes } from "../../events/proposals/verdict.ts";
import type { ProposalDraft } from "../categorize/draft.ts";
import type { EntityKind } from "../work/entities.ts";
import { projects } from "./folder-schema.ts";

/** What a person, or the passing of time, made of a proposal on this device. */
export const proposalStatuses = ["pending", "approved", "rejected", "expired"] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];

/**
 * Why a proposal that was still pending here was closed; its status is then `expired`. `scout_removed` is this device's own
 * word of all its scout's proposals, the others are said by the cloud of each.
 */
export const closedReasons = [
  "resolved_elsewhere",
  "gone",
  "expired",
  "restored",
  "dismissed",
  "scout_removed",
] as const;
export type ClosedReason = (typeof closedReasons)[number];

/** Proposals as delivered; all times are milliseconds since the epoch. The key is the proposal's id: stored once, for ever. */
export const scoutSuggestions = sqliteTable(
  "scout_suggestions",
  {
    id: text("id").$type<ProposalId>().primaryKey().notNull(),
    scoutId: text("scout_id").notNull(),
    sourceType: text("source_type").notNull(),
    sourceMsgRef: text("source_msg_ref").notNull(),
    category: text("category").$type<Category | "unprocessed">().notNull().default("unprocessed"),
    /** What it could become (device/categorize/draft.ts); null until stage 2 has looked at it. */
    payload: text("payload", { mode: "json" }).$type<ProposalDraft>(),
    priority: text("priority").$type<Priority>().notNull().default("none"),
    /** Who of this data folder's processes is at it, or was when it ended. */
    categorizer: text("categorizer"),
    /** Until then nobody else takes it: it is worked on, or could not be read. */
    categorizeAfter: integer("categorize_after"),
    categorizeTries: integer("categorize_tries").notNull().default(0),
    /** A language model is to read it, not before this; null when it is not, or has. */
    modelAfter: integer("model_after"),
    /** Who of this data folder's processes is having it read, or was last. */
    modelReader: text("model_reader"),
    modelTries: integer("model_tries").notNull().default(0),
    rawSubject: text("raw_subject"),
    rawSnippet: text("raw_snippet"),
    reason: text("reason"),
    reasonCode: text("reason_code").notNull(),
    status: text("status", { enum: proposalStatuses }).notNull().default("pending"),
    closedReason: text("closed_reason", { enum: closedReasons }),
    triagedAt: integer("triaged_at").notNull(),
    /** Who, when, how and with what; null when the cloud could not read it, or did not tell it yet. */
    metadata: text("metadata", { mode: "json" }).$type<ProposalMetadata>(),
    /** When it was written, as the database works out (migrations/0020-written-at.sql): lists are in this order. */
    writtenAt: integer("written_at").notNull().generatedAlwaysAs(sql`NULL`),
    proposedAt: integer("proposed_at").notNull(),
    resolvedAt: integer("resolved_at"),
    /** What it has become by the person's decision, if anything. */
    resolvedEntityType: text("resolved_entity_type").$type<EntityKind>(),
    resolvedEntityId: text("resolved_entity_id"),
    /** The change by which this round's decision made that, or added to it; null when it was there before. */
    entityChange: integer("entity_change"),
    /** Counts how often it was opened for decision. */
    round: integer("round").notNull().default(1),
    /** What was decided on another device: of a proposal that was decided here too, this is a conflict. */
    decidedElsewhere: text("decided_elsewhere", { enum: decisionOutcomes }),
    /** It is not shown from then on, and until then: see device/proposals/snooze.ts. */
    snoozedAt: integer("snoozed_at"),
    snoozedUntil: integer("snoozed_until"),
    /** The project a person has put it into. */
    projectId: text("project_id").$type<ProjectId>(),
  },
  (table) => [
    index("scout_suggestions_by_status").on(table.status, table.writtenAt),
    index("scout_suggestions_by_thread")
      .on(table.sourceType, sql`${table.metadata} ->> '$.threadRef'`)
      .where(sql`${table.metadata} ->> '$.threadRef' IS NOT NULL`),
    index("scout_suggestions_unprocessed")
      .on(table.triagedAt)
      .where(sql`${table.category} = 'unprocessed' AND ${table.status} = 'pending'`),
    index("scout_suggestions_unread")
      .on(table.modelAfter)
      .where(sql`${table.modelAfter} IS NOT NULL AND ${table.status} = 'pending'`),
    index("scout_suggestions_by_event")
      .on(sql`${table.payload} ->> '$.calendar.uid'`)
      .where(sql`${table.payload} ->> '$.calendar.uid' IS NOT NULL`),
    check("scout_suggestions_status", sql`${table.status} IN ('pending', 'approved', 'rejected', 'expired')`),
  ],
);
export type StoredProposal = typeof scoutSuggestions.$inferSelect;

/**
 * Rounds that were closed before their proposal arrived: the cloud's functions run side by side, so a close may overtake
 * its proposal. The latest one of each.
 */
export const proposalTombstones = sqliteTable("proposal_tombstones", {
  id: text("id").$type<ProposalId>().primaryKey().notNull(),
  reason: text("reason", { enum: closedReasons }).notNull(),
  closedAt: integer("closed_at").notNull(),
  round: integer("round").notNull().default(1),
  outcome: text("outcome", { enum: decisionOutcomes }),
});

/** Client frames the cloud has not accepted yet, in the order they were made; refused ones stay a while as evidence. */
export const outbox = sqliteTable(
  "outbox",
  {
    seq: integer("seq").primaryKey({ autoIncrement: true }).notNull(),
    id: text("id").$type<FrameId>().notNull().unique(),
    type: text("type").notNull(),
    /** What the frame is about: frames with the same subject are sent one after the other. */
    subject: text("subject"),
    /** At most one waiting frame per key. */
    dedupeKey: text("dedupe_key").unique(),
    frame: text("frame").notNull(),
    createdAt: integer("created_at").notNull(),
    /** Not sent before this; null for at once. Until `sentAt` is set it can be taken back. */
    notBefore: integer("not_before"),
    /** When it was about to be written to a socket, for what had to wait. */
    sentAt: integer("sent_at"),
    refusedCode: text("refused_code"),
    refusedAt: integer("refused_at"),
  },
  (table) => [
    index("outbox_waiting").on(table.seq).where(sql`${table.refusedAt} IS NULL`),
    index("outbox_held").on(table.notBefore).where(sql`${table.notBefore} IS NOT NULL AND ${table.sentAt} IS NULL`),
  ],
);

export const cursors = sqliteTable("cursors", {
  name: text("name").primaryKey().notNull(),
  value: text("value").notNull(),
  updatedAt: integer("updated_at").notNull(),
});

/**
 * Scouts as this device last heard of them, so that a person whose scout lost its source is told while offline too. Name
 * and kind of source are known once the list was asked for; `offCode` says why a scout is switched off, and is null when
 * it is not.
 */
export const knownScouts = sqliteTable("known_scouts", {
  id: text("id").$type<ScoutId>().primaryKey().notNull(),
  name: text("name"),
  sourceType: text("source_type"),
  offCode: text("off_code").$type<ErrorCode>(),
  offSince: integer("off_since"),
});
export type KnownScout = typeof knownScouts.$inferSelect;
/** A scout that is switched off. */
export type OffScout = KnownScout & { readonly offCode: ErrorCode; readonly offSince: number };

/** Scouts that wait for the language model, since when, why, and with how many items. */
export const waitingScouts = sqliteTable("waiting_scouts", {
  scoutId: text("scout_id").$type<ScoutId>().primaryKey().notNull(),
  code: text("code").$type<ErrorCode>().notNull(),
  since: integer("since").notNull(),
  items: integer("items").notNull(),
});

/**
 * Rows of a person's work that the search index has not looked at yet, noted by triggers (migration 0011 on). Numbers are never
 * used again.
 */
export const searchChanges = sqliteTable("search_changes", {
  number: integer("number").primaryKey({ autoIncrement: true }).notNull(),
  kind: text("kind").$type<SearchedKind>().notNull(),
  id: text("id").notNull(),
});
export type SearchChange = typeof searchChanges.$inferSelect;

/** Kinds of work that are searched by an index which follows these rows. */
export type SearchedKind = EntityKind | "proposal";

/** What agents answered. */
export const answers = sqliteTable(
  "answers",
  {
    id: text("id").primaryKey().notNull(),
    /** The answer it goes on from. */
    follows: text("follows"),
    projectId: text("project_id")
      .$type<ProjectId>()
      .references(() => projects.id, { onDelete: "cascade" }),
    question: text("question").notNull(),
    answer: text("answer").notNull(),
    /** Paths in the project's folder of what was shown to the agent. */
    files: text("files", { mode: "json" }).$type<string[]>().notNull().default([]),
    digest: text("digest").notNull().unique(),
    askedAt: integer("asked_at").notNull(),
    /** Question, answer and files, encrypted; those columns are empty then. */
    sealed: blob("sealed", { mode: "buffer" }),
  },
  (table) => [index("answers_by_project").on(table.projectId, table.askedAt)],
);
export type AnswerRow = typeof answers.$inferSelect;
/** One that can be read. */
export type StoredAnswer = Omit<AnswerRow, "sealed">;

/** One row: who this device is, and how its connection fares, for other processes to read. */
export const deviceIdentity = sqliteTable("device_identity", {
  onlyRow: integer("only_row").primaryKey().notNull(),
  deviceId: text("device_id").$type<DeviceId>().notNull(),
  createdAt: integer("created_at").notNull(),
  sessionId: text("session_id").$type<SessionId>(),
  /** Since when the device is connected; null when it is not. A process that was killed leaves it standing. */
  readyAt: integer("ready_at"),
  /** When the cloud was last heard of. */
  seenAt: integer("seen_at"),
  /** The cloud's clock minus this device's, when the session began. */
  clockOffsetMs: integer("clock_offset_ms"),
  troubleCode: text("trouble_code"),
  troubleAt: integer("trouble_at"),
});
export type Identity = Omit<typeof deviceIdentity.$inferSelect, "onlyRow">;
