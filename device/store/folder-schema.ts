import { sql } from "drizzle-orm";
import { index, integer, real, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { type FileTag, manifestKinds } from "../../events/frames/folders.ts";
import type { ProjectId, RunId } from "../../events/ids.ts";
import type { ScannedDirectory } from "../folders/scanner/look/scanned-directory.ts";
import type { LeftOut } from "../folders/scanner/reasons.ts";

export const scanStatuses = ["idle", "scanning", "error"] as const;
export type ScanStatus = (typeof scanStatuses)[number];

/** A person's projects, each with at most one linked folder; all times are milliseconds since the epoch. */
export const projects = sqliteTable("projects", {
  id: text("id").$type<ProjectId>().primaryKey().notNull(),
  name: text("name").notNull().unique(),
  createdAt: integer("created_at").notNull(),
  /** Absolute; null when no folder is linked. */
  folderPath: text("folder_path"),
  folderLastScannedAt: integer("folder_last_scanned_at"),
  folderLastScanStatus: text("folder_last_scan_status", { enum: scanStatuses }).notNull().default("idle"),
  folderErrorCode: text("folder_error_code"),
  folderErrorSentence: text("folder_error_sentence"),
  /** Files of the manifest, skipped ones among them. */
  folderTotalFiles: integer("folder_total_files").notNull().default(0),
  /** While `scanning`: who does it, in which process, and until when nobody else may. */
  scanHolder: text("scan_holder"),
  scanPid: integer("scan_pid"),
  scanUntil: integer("scan_until"),
  /** Digest of the access rules every row of the manifest was last decided under. */
  scanRulesHash: text("scan_rules_hash"),
});
export type Project = typeof projects.$inferSelect;

/** Longest summary, in characters. */
export const maxSummaryChars = 500;

/** The manifest: what is known of every file of the linked folders. */
export const projectFolderFiles = sqliteTable(
  "project_folder_files",
  {
    id: integer("id").primaryKey().notNull(),
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    relativePath: text("relative_path").notNull(),
    /** Lower case, without the dot; empty when the name has none. */
    ext: text("ext").notNull(),
    kind: text("kind", { enum: manifestKinds }).notNull(),
    sizeBytes: integer("size_bytes").notNull(),
    mtimeMs: real("mtime_ms").notNull(),
    ctimeMs: real("ctime_ms"),
    inode: text("inode"),
    /** `FileMetadata.version` the content was read at; empty when it cannot be relied on and the file is read again. */
    version: text("version").notNull(),
    /** SHA-256, hex; null when the content was never read. */
    contentHash: text("content_hash"),
    tag: text("tag").$type<FileTag>(),
    skipReason: text("skip_reason"),
    summary: text("summary"),
    /** Content hash of what the summary is about: it is stale when that is not `contentHash`. */
    summaryHash: text("summary_hash"),
    summaryUpdatedAt: integer("summary_updated_at"),
    promptVersion: text("prompt_version"),
  },
  (table) => [
    unique().on(table.projectId, table.relativePath),
    // Holds all that a rescan reads of a file that has not changed.
    index("project_folder_files_versions").on(table.projectId, table.relativePath, table.version),
    index("project_folder_files_unreliable").on(table.projectId).where(sql`${table.version} = ''`),
    index("project_folder_files_by_mtime").on(table.projectId, table.mtimeMs),
    index("project_folder_files_by_hash").on(table.projectId, table.contentHash),
    index("project_folder_files_unsummarized")
      .on(table.projectId)
      .where(sql`${table.kind} <> 'skipped' AND ${table.summaryHash} IS NOT ${table.contentHash}`),
    index("project_folder_files_skipped").on(table.projectId, table.skipReason).where(sql`${table.kind} = 'skipped'`),
  ],
);
export type FolderFile = Omit<typeof projectFolderFiles.$inferSelect, "id">;

/**
 * What a linked folder looked like when all of its manifest was last decided about, so that a folder that still looks so
 * need not be walked.
 */
export const folderSnapshots = sqliteTable("folder_snapshots", {
  projectId: text("project_id")
    .$type<ProjectId>()
    .primaryKey()
    .notNull()
    .references(() => projects.id, { onDelete: "cascade" }),
  /** Digest of what else the decisions rest on: rules, limits, the folder's own identity. */
  basis: text("basis").notNull(),
  directories: text("directories", { mode: "json" }).$type<readonly ScannedDirectory[]>().notNull(),
  /** What is not in the manifest, by reason. */
  leftOut: text("left_out", { mode: "json" }).$type<LeftOut>().notNull(),
});
export type FolderSnapshot = Omit<typeof folderSnapshots.$inferSelect, "projectId">;

/** Scouts that run on this device: a linked folder is one. */
export const localScoutConfigs = sqliteTable("local_scout_configs", {
  projectId: text("project_id")
    .$type<ProjectId>()
    .primaryKey()
    .notNull()
    .references(() => projects.id, { onDelete: "cascade" }),
  sourceType: text("source_type").notNull().default("folder"),
  isEnabled: integer("is_enabled", { mode: "boolean" }).notNull().default(true),
  rescanEveryMs: integer("rescan_every_ms").notNull(),
  createdAt: integer("created_at").notNull(),
});
export type LocalScoutConfig = typeof localScoutConfigs.$inferSelect;

/** Why a folder was scanned. */
export const scanCauses = ["link", "manual", "daily", "stale"] as const;
export type ScanCause = (typeof scanCauses)[number];
export const scoutRunStatuses = ["running", "completed", "cancelled", "quota_exceeded", "error"] as const;
export type ScoutRunStatus = (typeof scoutRunStatuses)[number];

/** One row for each run of a local scout. */
export const scoutRuns = sqliteTable(
  "scout_runs",
  {
    id: text("id").$type<RunId>().primaryKey().notNull(),
    projectId: text("project_id")
      .$type<ProjectId>()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    cause: text("cause", { enum: scanCauses }).notNull(),
    status: text("status", { enum: scoutRunStatuses }).notNull().default("running"),
    errorCode: text("error_code"),
    startedAt: integer("started_at").notNull(),
    endedAt: integer("ended_at"),
    newFiles: integer("new_files").notNull().default(0),
    changedFiles: integer("changed_files").notNull().default(0),
    renamedFiles: integer("renamed_files").notNull().default(0),
    deletedFiles: integer("deleted_files").notNull().default(0),
    skippedFiles: integer("skipped_files").notNull().default(0),
    unchangedFiles: integer("unchanged_files").notNull().default(0),
    summarizedFiles: integer("summarized_files").notNull().default(0),
    tokensUsed: integer("tokens_used").notNull().default(0),
  },
  (table) => [index("scout_runs_by_project").on(table.projectId, table.startedAt)],
);
export type ScoutRun = typeof scoutRuns.$inferSelect;

export const scoutActions = [
  "added",
  "changed",
  "renamed",
  "copied",
  "removed",
  "skipped",
  "summarized",
  "failed",
] as const;
export type ScoutAction = (typeof scoutActions)[number];

/** What a run found and did, file by file. */
export const scoutRunActions = sqliteTable(
  "scout_run_actions",
  {
    id: integer("id").primaryKey().notNull(),
    runId: text("run_id")
      .$type<RunId>()
      .notNull()
      .references(() => scoutRuns.id, { onDelete: "cascade" }),
    action: text("action", { enum: scoutActions }).notNull(),
    relativePath: text("relative_path").notNull(),
    /** Where a renamed or copied file was found before. */
    fromPath: text("from_path"),
    /** Why a file was skipped or failed. */
    code: text("code"),
  },
  (table) => [index("scout_run_actions_by_run").on(table.runId)],
);
export type ScoutRunAction = Omit<typeof scoutRunActions.$inferSelect, "id" | "runId">;
