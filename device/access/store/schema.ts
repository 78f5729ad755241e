import { blob, index, integer, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { AuditEvent, AuditFile } from "../audit/record.ts";
import { type FileTag, type JournalStep, sensitivities } from "./access-store.ts";

/** Contents by SHA-256; deflated when that makes them smaller. */
export const contents = sqliteTable("contents", {
  hash: text("hash").primaryKey().notNull(),
  bytes: blob("bytes", { mode: "buffer" }).notNull(),
  isCompressed: integer("is_compressed", { mode: "boolean" }).notNull(),
  /** Before compression. */
  size: integer("size").notNull(),
});

export const versions = sqliteTable(
  "versions",
  {
    id: text("id").primaryKey().notNull(),
    path: text("path").notNull(),
    hash: text("hash"),
    sizeBytes: integer("size_bytes").notNull(),
    mode: integer("mode"),
    beforeHash: text("before_hash"),
    parentId: text("parent_id"),
    at: integer("at").notNull(),
    caller: text("caller").notNull(),
    tool: text("tool").notNull(),
  },
  (table) => [index("versions_by_path").on(table.path, table.id), index("versions_by_hash").on(table.hash)],
);

export const journal = sqliteTable("journal", {
  id: text("id").primaryKey().notNull(),
  at: integer("at").notNull(),
  caller: text("caller").notNull(),
  tool: text("tool").notNull(),
  steps: text("steps", { mode: "json" }).$type<readonly JournalStep[]>().notNull(),
});

export const audit = sqliteTable("audit", {
  seq: integer("seq").primaryKey().notNull(),
  at: integer("at").notNull(),
  caller: text("caller").notNull(),
  session: text("session").notNull(),
  tool: text("tool").notNull(),
  args: text("args", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
  decision: text("decision").$type<AuditEvent["decision"]>().notNull(),
  outcome: text("outcome").notNull(),
  files: text("files", { mode: "json" }).$type<readonly AuditFile[]>().notNull(),
  prevHash: text("prev_hash").notNull(),
  hash: text("hash").notNull(),
});

/** One row: where the trail begins and ends, so that records missing at either end are noticed. */
export const auditAnchors = sqliteTable("audit_anchors", {
  onlyRow: integer("only_row").primaryKey().notNull(),
  baseSeq: integer("base_seq").notNull(),
  baseHash: text("base_hash").notNull(),
  headSeq: integer("head_seq").notNull(),
  headHash: text("head_hash").notNull(),
});

export const registry = sqliteTable("registry", {
  path: text("path").primaryKey().notNull(),
  sizeBytes: integer("size_bytes").notNull(),
  hash: text("hash").notNull(),
  mtimeMs: real("mtime_ms").notNull(),
  fsVersion: text("fs_version").notNull(),
  tags: text("tags", { mode: "json" }).$type<readonly FileTag[]>().notNull(),
  sensitivity: text("sensitivity", { enum: sensitivities }).notNull(),
  versionIds: text("version_ids", { mode: "json" }).$type<readonly string[]>().notNull(),
});

export const summaries = sqliteTable("summaries", {
  path: text("path").primaryKey().notNull(),
  hash: text("hash").notNull(),
  text: text("text").notNull(),
  maxTokens: integer("max_tokens").notNull(),
  by: text("made_by").notNull(),
  at: integer("at").notNull(),
});
