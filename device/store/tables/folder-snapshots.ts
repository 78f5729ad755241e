import { eq } from "drizzle-orm";
import type { ProjectId } from "../../../events/ids.ts";
import { type FolderSnapshot, folderSnapshots as table } from "../folder-schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** What each linked folder looked like when its manifest was last brought up to date; at most one for a project. */
export interface FolderSnapshotTable {
  find(projectId: ProjectId): FolderSnapshot | undefined;
  put(projectId: ProjectId, snapshot: FolderSnapshot): void;
  remove(projectId: ProjectId): void;
}

/** The table over a database: one snapshot for each project, and a newer one takes its place. */
export function folderSnapshotTable(db: Database): FolderSnapshotTable {
  return {
    find: (projectId) =>
      db
        .select({ basis: table.basis, directories: table.directories, leftOut: table.leftOut })
        .from(table)
        .where(eq(table.projectId, projectId))
        .get(),
    put(projectId, snapshot) {
      db.insert(table)
        .values({ projectId, ...snapshot })
        .onConflictDoUpdate({ target: table.projectId, set: snapshot })
        .run();
    },
    remove(projectId) {
      db.delete(table).where(eq(table.projectId, projectId)).run();
    },
  };
}
