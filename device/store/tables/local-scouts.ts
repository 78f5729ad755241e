import { and, asc, eq, isNotNull, isNull, lte, ne, or, sql } from "drizzle-orm";
import type { ProjectId } from "../../../events/ids.ts";
import { type LocalScoutConfig, localScoutConfigs, projects } from "../folder-schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** A linked folder is looked at once a day. */
export const defaultRescanEveryMs = 24 * 3_600_000;

/** Scouts that run on this device; one for each linked folder. */
export interface LocalScoutTable {
  put(projectId: ProjectId, change?: { isEnabled?: boolean; rescanEveryMs?: number }): LocalScoutConfig;
  find(projectId: ProjectId): LocalScoutConfig | undefined;
  list(): LocalScoutConfig[];
  /** Projects whose folder was not scanned for as long as its scout says, and is not being scanned. */
  due(): ProjectId[];
  remove(projectId: ProjectId): void;
}

export function localScoutTable(db: Database, now: () => number): LocalScoutTable {
  return {
    put(projectId, change = {}) {
      const row = { projectId, rescanEveryMs: defaultRescanEveryMs, createdAt: now(), ...change };
      return db
        .insert(localScoutConfigs)
        .values(row)
        .onConflictDoUpdate({ target: localScoutConfigs.projectId, set: { projectId, ...change } })
        .returning()
        .get();
    },
    find: (projectId) => db.select().from(localScoutConfigs).where(eq(localScoutConfigs.projectId, projectId)).get(),
    list: () => db.select().from(localScoutConfigs).orderBy(asc(localScoutConfigs.projectId)).all(),
    due() {
      const lastScan = projects.folderLastScannedAt;
      const rows = db
        .select({ id: projects.id })
        .from(localScoutConfigs)
        .innerJoin(projects, eq(projects.id, localScoutConfigs.projectId))
        .where(
          and(
            eq(localScoutConfigs.isEnabled, true),
            isNotNull(projects.folderPath),
            ne(projects.folderLastScanStatus, "scanning"),
            or(isNull(lastScan), lte(sql`${lastScan} + ${localScoutConfigs.rescanEveryMs}`, now())),
          ),
        )
        .orderBy(asc(projects.id))
        .all();
      return rows.map(({ id }) => id);
    },
    remove(projectId) {
      db.delete(localScoutConfigs).where(eq(localScoutConfigs.projectId, projectId)).run();
    },
  };
}
