import { and, asc, count, desc, eq, getTableColumns, gte, lt, type SQL, sql } from "drizzle-orm";
import type { ManifestKind } from "../../../../events/frames/folders.ts";
import type { ProjectId } from "../../../../events/ids.ts";
import { readInPart } from "../../../folders/scanner/reasons.ts";
import { type FolderFile, projectFolderFiles as table } from "../../folder-schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";

/** Files that lie in a directory itself, or in it and all directories below. The root is "". */
export type FolderPart = { readonly directlyIn: string } | { readonly under: string };

export interface ManifestCounts {
  readonly total: number;
  readonly byKind: Readonly<Partial<Record<ManifestKind, number>>>;
}

/** What is known of files. Order is by path, code point by code point. */
export interface KeptFiles {
  /** Stored version of every path, or of those of one part of the folder. */
  versions(projectId: ProjectId, part?: FolderPart): Map<string, string>;
  /** Paths of files whose stored version cannot be relied on. */
  unreliable(projectId: ProjectId, limit: number): string[];
  list(projectId: ProjectId): FolderFile[];
  find(projectId: ProjectId, relativePath: string): FolderFile | undefined;
  /** The files changed last, newest first. */
  recent(projectId: ProjectId, limit: number): FolderFile[];
  counts(projectId: ProjectId): ManifestCounts;
  total(projectId: ProjectId): number;
  /** How many files are `skipped`, by reason. */
  skipped(projectId: ProjectId): Record<string, number>;
  /** How many files were read in part only. */
  readInPart(projectId: ProjectId): number;
  /** Files with this very content. */
  withContent(projectId: ProjectId, contentHash: string, limit?: number): FolderFile[];
  /** Files whose summary is missing, is about another content, or failed. */
  unsummarized(projectId: ProjectId): FolderFile[];
}

const { id: _, ...columns } = getTableColumns(table);

/** As the partial index says it. */
export const isUnsummarized = sql`${table.kind} <> 'skipped' AND ${table.summaryHash} IS NOT ${table.contentHash}`;

/** As its index says it: SQLite must see the empty text, not a parameter. */
const isUnreliable = sql`${table.version} = ''`;

/** One file of a project. */
export const fileAt = (projectId: ProjectId, relativePath: string) =>
  and(eq(table.projectId, projectId), eq(table.relativePath, relativePath));

/** "0" is the character behind "/": what begins with a directory's name and a slash lies between the two. */
function isIn(part: FolderPart): SQL | undefined {
  const directory = "under" in part ? part.under : part.directlyIn;
  const path = table.relativePath;
  const below = directory === "" ? undefined : and(gte(path, `${directory}/`), lt(path, `${directory}0`));
  if ("under" in part) return below;
  const rest = directory === "" ? path : sql`substr(${path}, length(${directory}) + 2)`;
  return and(below, sql`instr(${rest}, '/') = 0`);
}

/** What is known of files, over a database. */
export function keptFiles(db: Database): KeptFiles {
  const select = () => db.select(columns).from(table);
  return {
    versions(projectId, part) {
      const rows = db
        .select({ path: table.relativePath, version: table.version })
        .from(table)
        .where(and(eq(table.projectId, projectId), part && isIn(part)))
        .values();
      return new Map(rows.map(([path, version]) => [String(path), String(version)]));
    },

    unreliable: (projectId, limit) =>
      db
        .select({ path: table.relativePath })
        .from(table)
        .where(and(eq(table.projectId, projectId), isUnreliable))
        .limit(limit)
        .all()
        .map(({ path }) => path),

    list: (projectId) => select().where(eq(table.projectId, projectId)).orderBy(asc(table.relativePath)).all(),
    find: (projectId, path) => select().where(fileAt(projectId, path)).get(),
    recent: (projectId, limit) =>
      select()
        .where(eq(table.projectId, projectId))
        .orderBy(desc(table.mtimeMs), asc(table.relativePath))
        .limit(limit)
        .all(),

    counts(projectId) {
      const rows = db
        .select({ kind: table.kind, n: count() })
        .from(table)
        .where(eq(table.projectId, projectId))
        .groupBy(table.kind)
        .all();
      return {
        total: rows.reduce((sum, { n }) => sum + n, 0),
        byKind: Object.fromEntries(rows.map(({ kind, n }) => [kind, n])),
      };
    },

    total: (projectId) => db.select({ n: count() }).from(table).where(eq(table.projectId, projectId)).get()?.n ?? 0,

    skipped(projectId) {
      const rows = db
        .select({ reason: table.skipReason, n: count() })
        .from(table)
        .where(and(eq(table.projectId, projectId), sql`${table.kind} = 'skipped'`))
        .groupBy(table.skipReason)
        .all();
      return Object.fromEntries(rows.map(({ reason, n }) => [reason ?? "", n]));
    },

    readInPart: (projectId) =>
      db
        .select({ n: count() })
        .from(table)
        .where(and(eq(table.projectId, projectId), eq(table.skipReason, readInPart)))
        .get()?.n ?? 0,

    withContent: (projectId, hash, limit = -1) =>
      select()
        .where(and(eq(table.projectId, projectId), eq(table.contentHash, hash)))
        .orderBy(asc(table.relativePath))
        .limit(limit)
        .all(),

    unsummarized: (projectId) =>
      select()
        .where(and(eq(table.projectId, projectId), isUnsummarized))
        // With "+" SQLite does not read the whole manifest in order to spare itself the sorting of a few rows.
        .orderBy(sql`+${table.relativePath}`)
        .all(),
  };
}
