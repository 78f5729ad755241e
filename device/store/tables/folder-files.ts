import { and, asc, count, desc, eq, getTableColumns, gte, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import type { FileTag, IndexedKind, ManifestKind } from "../../../events/folders.ts";
import type { ProjectId } from "../../../events/ids.ts";
import { type FolderFile, maxSummaryChars, projectFolderFiles as table } from "../folder-schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** What a scan learns of a file; the summary is another matter. */
export type ScannedFile = Omit<
  FolderFile,
  "projectId" | "summary" | "summaryHash" | "summaryUpdatedAt" | "promptVersion"
>;

/** Where and when a file lies on the disk. */
export type FileTimes = Pick<ScannedFile, "sizeBytes" | "mtimeMs" | "ctimeMs" | "inode" | "version">;

export interface FileSummary {
  readonly kind: IndexedKind;
  /** Cut to {@link maxSummaryChars}. */
  readonly summary: string;
  readonly tag: FileTag | null;
  readonly promptVersion: string | null;
}

/** Why a file that could be summarised has no current summary: the month's tokens are used up. */
export const waitsForTokens = "quota_exceeded";

/** Stands where the summary would, for a file whose content cannot be had. */
export const unextractable = "Could not extract text";

/** Files that lie in a directory itself, or in it and all directories below. The root is "". */
export type FolderPart = { readonly directlyIn: string } | { readonly under: string };

export interface ManifestCounts {
  readonly total: number;
  readonly byKind: Readonly<Partial<Record<ManifestKind, number>>>;
}

/** The manifests. Every method is one transaction unless it runs inside another. Order is by path, code point by code point. */
export interface FolderFileTable {
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
  /** Files with this very content. */
  withContent(projectId: ProjectId, contentHash: string, limit?: number): FolderFile[];
  /** Files whose summary is missing, is about another content, or failed. */
  unsummarized(projectId: ProjectId): FolderFile[];

  /** Makes or replaces what scans know of a file; its summary stays, stale or not. */
  put(projectId: ProjectId, file: ScannedFile): void;
  /** Puts in files there are no rows of yet: in half the time. Where there is a row it stays as it is. In a transaction. */
  addAll(projectId: ProjectId, files: readonly ScannedFile[]): void;
  touch(projectId: ProjectId, relativePath: string, times: FileTimes): void;
  move(projectId: ProjectId, from: string, to: string): void;
  copySummary(from: FolderFile, to: string): void;
  remove(projectId: ProjectId, relativePath: string): void;
  removeAll(projectId: ProjectId): void;
  /** Has all files read again by the next scan. */
  distrustAll(projectId: ProjectId): void;

  /**
   * Stores a summary for every file with that content and kind; returns how many that are, 0 when the
   * file has changed meanwhile.
   */
  setSummary(projectId: ProjectId, relativePath: string, contentHash: string, made: FileSummary): number;
  /** The content cannot be made readable. Nothing happens when the file has changed meanwhile. */
  setSkipped(projectId: ProjectId, relativePath: string, contentHash: string, reason: string): boolean;
  /** Marks every file without a current summary as waiting for the month's tokens; returns how many. */
  setWaiting(projectId: ProjectId): number;
  /** The summary failed; the next scan tries again. Nothing happens when the file has changed meanwhile. */
  setError(projectId: ProjectId, relativePath: string, contentHash: string, code: string): boolean;
}

const { id: _, ...columns } = getTableColumns(table);

/** As the partial index says it. */
const isUnsummarized = sql`${table.kind} <> 'skipped' AND ${table.summaryHash} IS NOT ${table.contentHash}`;

/** As its index says it: SQLite must see the empty text, not a parameter. */
const isUnreliable = sql`${table.version} = ''`;

/** "0" is the character behind "/": what begins with a directory's name and a slash lies between the two. */
function isIn(part: FolderPart): SQL | undefined {
  const directory = "under" in part ? part.under : part.directlyIn;
  const path = table.relativePath;
  const below = directory === "" ? undefined : and(gte(path, `${directory}/`), lt(path, `${directory}0`));
  if ("under" in part) return below;
  const rest = directory === "" ? path : sql`substr(${path}, length(${directory}) + 2)`;
  return and(below, sql`instr(${rest}, '/') = 0`);
}

/** As SQLite counts them: code points. */
const cut = (summary: string) =>
  summary.length <= maxSummaryChars ? summary : Array.from(summary).slice(0, maxSummaryChars).join("");

/** @param summedOnce runs what puts new rows into this table, and sums them afterwards */
export function folderFileTable(
  db: Database,
  now: () => number,
  summedOnce: (insert: () => void) => void,
): FolderFileTable {
  const at = (projectId: ProjectId, relativePath: string) =>
    and(eq(table.projectId, projectId), eq(table.relativePath, relativePath));
  const select = () => db.select(columns).from(table);
  const settle = (projectId: ProjectId, path: string, contentHash: string, change: Partial<FolderFile>) =>
    db
      .update(table)
      .set(change)
      .where(and(at(projectId, path), eq(table.contentHash, contentHash)))
      .run().changes > 0;

  // Each of its own: Drizzle adds to the insertion it is given.
  const add = insertion(db)
    .onConflictDoNothing({ target: [table.projectId, table.relativePath] })
    .prepare();
  const put = replacing(insertion(db)).prepare();

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
    find: (projectId, path) => select().where(at(projectId, path)).get(),
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

    put(projectId, file) {
      put.run({ projectId, ...file });
    },

    addAll(projectId, files) {
      if (files.length === 0) return;
      summedOnce(() => {
        for (const file of files) add.run({ projectId, ...file });
      });
    },

    touch(projectId, path, times) {
      db.update(table).set(times).where(at(projectId, path)).run();
    },

    move(projectId, from, to) {
      db.update(table).set({ relativePath: to }).where(at(projectId, from)).run();
    },

    copySummary(from, to) {
      const { kind, skipReason, summary, summaryHash, summaryUpdatedAt, promptVersion } = from;
      db.update(table)
        .set({ kind, skipReason, summary, summaryHash, summaryUpdatedAt, promptVersion })
        .where(at(from.projectId, to))
        .run();
    },

    remove(projectId, path) {
      db.delete(table).where(at(projectId, path)).run();
    },

    removeAll(projectId) {
      db.delete(table).where(eq(table.projectId, projectId)).run();
    },

    distrustAll(projectId) {
      db.update(table).set({ version: "" }).where(eq(table.projectId, projectId)).run();
    },

    setSummary(projectId, path, contentHash, { kind, summary, tag, promptVersion }) {
      const made = {
        kind,
        skipReason: null,
        summary: cut(summary),
        summaryHash: contentHash,
        summaryUpdatedAt: now(),
        promptVersion,
      };
      if (!settle(projectId, path, contentHash, tag === null ? made : { ...made, tag })) return 0;
      const sameContent = and(eq(table.projectId, projectId), eq(table.contentHash, contentHash));
      const others = and(sameContent, isUnsummarized, inArray(table.kind, [kind, "error"]));
      return 1 + Number(db.update(table).set(made).where(others).run().changes);
    },

    setSkipped: (projectId, path, contentHash, reason) =>
      settle(projectId, path, contentHash, {
        kind: "skipped",
        skipReason: reason,
        summary: unextractable,
        summaryHash: contentHash,
        summaryUpdatedAt: now(),
        promptVersion: null,
      }),

    setWaiting: (projectId) =>
      Number(
        db
          .update(table)
          .set({ skipReason: waitsForTokens })
          .where(and(eq(table.projectId, projectId), isUnsummarized, ne(table.kind, "error")))
          .run().changes,
      ),

    setError: (projectId, path, contentHash, code) =>
      settle(projectId, path, contentHash, { kind: "error", skipReason: code }),
  };
}

function insertion(db: Database) {
  const value = sql.placeholder;
  return db.insert(table).values({
    projectId: value("projectId"),
    relativePath: value("relativePath"),
    ext: value("ext"),
    kind: value("kind"),
    sizeBytes: value("sizeBytes"),
    mtimeMs: value("mtimeMs"),
    ctimeMs: value("ctimeMs"),
    inode: value("inode"),
    version: value("version"),
    contentHash: value("contentHash"),
    tag: value("tag"),
    skipReason: value("skipReason"),
  });
}

function replacing(insert: ReturnType<typeof insertion>) {
  return insert.onConflictDoUpdate({
    target: [table.projectId, table.relativePath],
    set: {
      ext: sql`excluded.ext`,
      kind: sql`excluded.kind`,
      sizeBytes: sql`excluded.size_bytes`,
      mtimeMs: sql`excluded.mtime_ms`,
      ctimeMs: sql`excluded.ctime_ms`,
      inode: sql`excluded.inode`,
      version: sql`excluded.version`,
      contentHash: sql`excluded.content_hash`,
      tag: sql`excluded.tag`,
      skipReason: sql`excluded.skip_reason`,
    },
  });
}
