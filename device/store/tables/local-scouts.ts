import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from "drizzle-orm";
import type { ProjectId } from "../../../events/ids.ts";
import type { DeviceErrorCode } from "../../errors.ts";
import { type LocalScoutConfig, localScoutConfigs, projects } from "../folder-schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** A linked folder is looked at once a day. */
export const defaultRescanEveryMs = 24 * 3_600_000;

/** What a scan ends with where its home is not reached, or no more. */
const homeAway: readonly DeviceErrorCode[] = [
  "ticket_unavailable",
  "issuer_unusable",
  "home_not_running",
  "connection_lost",
  "answer_overdue",
  "upload_failed",
];

/** Scouts that run on this device; one for each linked folder. */
export interface LocalScoutTable {
  put(projectId: ProjectId, change?: { isEnabled?: boolean; rescanEveryMs?: number }): LocalScoutConfig;
  find(projectId: ProjectId): LocalScoutConfig | undefined;
  list(): LocalScoutConfig[];
  /** Projects with files that wait for the month's tokens, and that are not being scanned. */
  waitingForTokens(): ProjectId[];
  /** Projects whose last scan was interrupted, by somebody or as its program was killed, and that are not being scanned. */
  interrupted(): ProjectId[];
  /** Projects whose last scan ended as the home could not be reached, and that are not being scanned. */
  cutOff(): ProjectId[];
  /** Projects whose folder is linked, watched, and not being scanned. */
  watched(): ProjectId[];
  /** Projects whose folder was not scanned for as long as its scout says, and is not being scanned. */
  due(): ProjectId[];
  remove(projectId: ProjectId): void;
}

/**
 * The table over a database. A project whose folder is off, not linked, or being scanned is never due.
 *
 * @param now milliseconds since the epoch
 */
export function localScoutTable(db: Database, now: () => number): LocalScoutTable {
  const isWaiting = inArray(projects.folderErrorCode, ["quota_exceeded", "folder_monthly_tokens"]);
  const canBeScanned = and(
    eq(localScoutConfigs.isEnabled, true),
    isNotNull(projects.folderPath),
    ne(projects.folderLastScanStatus, "scanning"),
  );
  const idsOf = (condition: SQL | undefined) =>
    db
      .select({ id: projects.id })
      .from(localScoutConfigs)
      .innerJoin(projects, eq(projects.id, localScoutConfigs.projectId))
      .where(and(canBeScanned, condition))
      .orderBy(asc(projects.id))
      .all()
      .map(({ id }) => id);
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
    waitingForTokens: () => idsOf(isWaiting),
    interrupted: () => idsOf(eq(projects.folderErrorCode, "scan_interrupted")),
    cutOff: () => idsOf(inArray(projects.folderErrorCode, [...homeAway])),
    watched: () => idsOf(undefined),
    due() {
      const lastScan = projects.folderLastScannedAt;
      const isOver = lte(sql`${lastScan} + ${localScoutConfigs.rescanEveryMs}`, now());
      // A scan in the future is of a clock that has been set back: it would be waited for until that time comes again.
      return idsOf(or(isNull(lastScan), isOver, gt(lastScan, now())));
    },
    remove(projectId) {
      db.delete(localScoutConfigs).where(eq(localScoutConfigs.projectId, projectId)).run();
    },
  };
}
