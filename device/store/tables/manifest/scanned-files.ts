import { eq, sql } from "drizzle-orm";
import type { ProjectId } from "../../../../events/ids.ts";
import { type FolderFile, projectFolderFiles as table } from "../../folder-schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { fileAt } from "./kept-files.ts";

/** What a scan learns of a file; the summary is another matter. */
export type ScannedFile = Omit<
  FolderFile,
  "projectId" | "summary" | "summaryHash" | "summaryUpdatedAt" | "promptVersion"
>;

/** Where and when a file lies on the disk. */
export type FileTimes = Pick<ScannedFile, "sizeBytes" | "mtimeMs" | "ctimeMs" | "inode" | "version">;

/** What scans write of files. */
export interface ScannedFiles {
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
}

/** What scans write of files, over a database. @param summedOnce runs what puts new rows into this table, and sums them afterwards */
export function scannedFiles(db: Database, summedOnce: (insert: () => void) => void): ScannedFiles {
  // Each of its own: Drizzle adds to the insertion it is given.
  const add = insertion(db)
    .onConflictDoNothing({ target: [table.projectId, table.relativePath] })
    .prepare();
  const put = replacing(insertion(db)).prepare();
  return {
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
      db.update(table).set(times).where(fileAt(projectId, path)).run();
    },

    move(projectId, from, to) {
      db.update(table).set({ relativePath: to }).where(fileAt(projectId, from)).run();
    },

    copySummary(from, to) {
      const { kind, skipReason, summary, summaryHash, summaryUpdatedAt, promptVersion } = from;
      db.update(table)
        .set({ kind, skipReason, summary, summaryHash, summaryUpdatedAt, promptVersion })
        .where(fileAt(from.projectId, to))
        .run();
    },

    remove(projectId, path) {
      db.delete(table).where(fileAt(projectId, path)).run();
    },

    removeAll(projectId) {
      db.delete(table).where(eq(table.projectId, projectId)).run();
    },

    distrustAll(projectId) {
      db.update(table).set({ version: "" }).where(eq(table.projectId, projectId)).run();
    },
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
