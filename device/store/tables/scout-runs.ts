import { aliasedTable, and, asc, desc, eq, exists, gt, gte, inArray, max, ne, notInArray, sql } from "drizzle-orm";
import { type ProjectId, type RunId, runId } from "../../../events/ids.ts";
import {
  type ScanCause,
  type ScoutAction,
  type ScoutRun,
  type ScoutRunAction,
  scoutRunActions,
  scoutRuns,
} from "../folder-schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** Runs remembered of each project; a first scan may leave an action for every file. */
const keptRuns = 30;

/** What a person would call a change of a folder. */
const tellingActions: readonly ScoutAction[] = ["added", "changed", "renamed", "removed"];

type RunChange = Partial<Omit<ScoutRun, "id" | "projectId" | "cause" | "startedAt">>;

/** What local scouts did. */
export interface ScoutRunTable {
  start(projectId: ProjectId, cause: ScanCause): ScoutRun;
  update(id: RunId, change: RunChange): void;
  find(id: RunId): ScoutRun | undefined;
  /** Newest first. */
  list(projectId: ProjectId, limit?: number): ScoutRun[];
  addActions(id: RunId, actions: readonly ScoutRunAction[]): void;
  actions(id: RunId): ScoutRunAction[];
  /**
   * What runs since a time (milliseconds since the epoch) found to be otherwise in a folder that was known: each file once,
   * by what was found of it last. Names the latest of them.
   */
  changedSince(
    projectId: ProjectId,
    sinceMs: number,
    named: number,
  ): {
    readonly files: readonly { readonly path: string; readonly action: ScoutAction }[];
    readonly counts: Readonly<Partial<Record<ScoutAction, number>>>;
    readonly changedAt: number | null;
  };
  /** Whether a run after another one has done any of these to a file. @param after every run comes after one that is forgotten */
  hasChangedAfter(projectId: ProjectId, after: RunId, actions: readonly ScoutAction[]): boolean;
  /** Ends runs of a project that nobody works on any more. */
  interrupt(projectId: ProjectId, code: string): void;
}

/**
 * The table over a database.
 *
 * @param now milliseconds since the epoch
 * @param transaction runs its work as one, or within the one that runs
 */
export function scoutRunTable(
  db: Database,
  now: () => number,
  transaction: <T>(work: () => T) => T,
  newId: () => string,
): ScoutRunTable {
  const list = (projectId: ProjectId, limit: number) =>
    db.select().from(scoutRuns).where(eq(scoutRuns.projectId, projectId)).orderBy(desc(sql`rowid`)).limit(limit).all();

  const value = sql.placeholder;
  const addAction = db
    .insert(scoutRunActions)
    .values({
      runId: value("runId"),
      action: value("action"),
      relativePath: value("relativePath"),
      fromPath: value("fromPath"),
      code: value("code"),
    })
    .prepare();

  return {
    start(projectId, cause) {
      return transaction(() => {
        const run = db
          .insert(scoutRuns)
          .values({ id: runId.parse(`run_${newId()}`), projectId, cause, startedAt: now() })
          .returning()
          .get();
        const kept = list(projectId, keptRuns).map(({ id }) => id);
        db.delete(scoutRuns)
          .where(and(eq(scoutRuns.projectId, projectId), notInArray(scoutRuns.id, kept)))
          .run();
        return run;
      });
    },

    update(id, change) {
      db.update(scoutRuns).set(change).where(eq(scoutRuns.id, id)).run();
    },

    find: (id) => db.select().from(scoutRuns).where(eq(scoutRuns.id, id)).get(),
    list: (projectId, limit = keptRuns) => list(projectId, limit),

    addActions(id, actions) {
      transaction(() => {
        for (const action of actions) addAction.run({ ...action, runId: id });
      });
    },

    actions(id) {
      const { action, relativePath, fromPath, code } = scoutRunActions;
      return db
        .select({ action, relativePath, fromPath, code })
        .from(scoutRunActions)
        .where(eq(scoutRunActions.runId, id))
        .orderBy(asc(scoutRunActions.id))
        .all();
    },

    changedSince(projectId, sinceMs, named) {
      const { id, action, relativePath, runId: ofRun } = scoutRunActions;
      const { id: run, endedAt, cause } = scoutRuns;
      const isMeant = and(
        eq(scoutRuns.projectId, projectId),
        ne(cause, "link"),
        gte(endedAt, sinceMs),
        inArray(action, [...tellingActions]),
      );
      // Of several rows of a path SQLite gives the columns of the one that is the greatest.
      const last = db
        .select({ path: relativePath, action, number: max(id).as("number"), endedAt })
        .from(scoutRunActions)
        .innerJoin(scoutRuns, eq(ofRun, run))
        .where(isMeant)
        .groupBy(relativePath)
        .orderBy(desc(sql`number`))
        .all();
      const counts: Partial<Record<ScoutAction, number>> = {};
      for (const each of last) counts[each.action] = (counts[each.action] ?? 0) + 1;
      const files = last.slice(0, named).map(({ path, action: found }) => ({ path, action: found }));
      return { files, counts, changedAt: last[0]?.endedAt ?? null };
    },

    hasChangedAfter(projectId, after, actions) {
      const runs = aliasedTable(scoutRuns, "until");
      const until = db
        .select({ at: sql`${runs}.rowid` })
        .from(runs)
        .where(eq(runs.id, after));
      const isMeant = and(eq(scoutRunActions.runId, scoutRuns.id), inArray(scoutRunActions.action, [...actions]));
      const found = db
        .select({ id: scoutRuns.id })
        .from(scoutRuns)
        .where(
          and(
            eq(scoutRuns.projectId, projectId),
            gt(sql`${scoutRuns}.rowid`, sql`coalesce((${until}), 0)`),
            exists(db.select({ one: sql`1` }).from(scoutRunActions).where(isMeant)),
          ),
        )
        .limit(1)
        .get();
      return found !== undefined;
    },

    interrupt(projectId, code) {
      db.update(scoutRuns)
        .set({ status: "error", errorCode: code, endedAt: now() })
        .where(and(eq(scoutRuns.projectId, projectId), eq(scoutRuns.status, "running")))
        .run();
    },
  };
}
