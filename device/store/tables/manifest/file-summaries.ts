import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { FileTag, IndexedKind } from "../../../../events/frames/folders.ts";
import type { ProjectId } from "../../../../events/ids.ts";
import { readInPart } from "../../../folders/scanner/reasons.ts";
import { type FolderFile, maxSummaryChars, projectFolderFiles as table } from "../../folder-schema.ts";
import type { Database } from "../../sqlite/sqlite.ts";
import { fileAt, isUnsummarized } from "./kept-files.ts";

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
const unextractable = "Could not extract text";

/** What files are about, or why nothing is said of it. */
export interface FileSummaries {
  /**
   * Stores a summary for every file with that content and kind; returns how many that are, 0 when the
   * file has changed meanwhile.
   */
  setSummary(projectId: ProjectId, relativePath: string, contentHash: string, made: FileSummary): number;
  /** The content cannot be made readable. Nothing happens when the file has changed meanwhile. */
  setSkipped(projectId: ProjectId, relativePath: string, contentHash: string, reason: string): boolean;
  /** There is a text in it after all: it wants a summary. Nothing happens when the file has changed meanwhile. */
  setReadable(projectId: ProjectId, relativePath: string, contentHash: string, kind: IndexedKind): boolean;
  /** How much of it was read; stays with it until its content changes. Nothing happens when the file has changed meanwhile. */
  setReadInPart(projectId: ProjectId, relativePath: string, contentHash: string, isPart: boolean): void;
  /** Marks every file without a current summary as waiting for the month's tokens; returns how many. */
  setWaiting(projectId: ProjectId): number;
  /** The summary failed; the next scan tries again. Nothing happens when the file has changed meanwhile. */
  setError(projectId: ProjectId, relativePath: string, contentHash: string, code: string): boolean;
}

/** As SQLite counts them: code points. */
const cut = (summary: string) =>
  summary.length <= maxSummaryChars ? summary : Array.from(summary).slice(0, maxSummaryChars).join("");

/** What files are about, over a database. @param now milliseconds since the epoch */
export function fileSummaries(db: Database, now: () => number): FileSummaries {
  const settle = (projectId: ProjectId, path: string, contentHash: string, change: Partial<FolderFile>) =>
    db
      .update(table)
      .set(change)
      .where(and(fileAt(projectId, path), eq(table.contentHash, contentHash)))
      .run().changes > 0;
  /** What a summary leaves of a reason: that it tells of a part. */
  const partOf = (projectId: ProjectId, path: string) => {
    const row = db.select({ reason: table.skipReason }).from(table).where(fileAt(projectId, path)).get();
    return row?.reason === readInPart ? readInPart : null;
  };
  return {
    setSummary(projectId, path, contentHash, { kind, summary, tag, promptVersion }) {
      const made = {
        kind,
        skipReason: partOf(projectId, path),
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

    setReadable: (projectId, path, contentHash, kind) =>
      settle(projectId, path, contentHash, { kind, skipReason: null, summary: null, summaryHash: null }),

    setReadInPart(projectId, path, contentHash, isPart) {
      const at = and(fileAt(projectId, path), eq(table.contentHash, contentHash), ne(table.kind, "skipped"));
      const isOther = isPart ? sql`${table.skipReason} IS NOT ${readInPart}` : eq(table.skipReason, readInPart);
      db.update(table)
        .set({ skipReason: isPart ? readInPart : null })
        .where(and(at, isOther))
        .run();
    },

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
