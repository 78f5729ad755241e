import { and, asc, desc, eq, notInArray, sql } from "drizzle-orm";
import { type ProjectId, type RunId, runId } from "../../../events/ids.ts";
import { type ScanCause, type ScoutRun, type ScoutRunAction, scoutRunActions, scoutRuns } from "../folder-schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** Runs remembered of each project; a first scan may leave an action for every file. */
const keptRuns = 30;

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
  /** Ends runs of a project that nobody works on any more. */
  interrupt(projectId: ProjectId, code: string): void;
}

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

    interrupt(projectId, code) {
      db.update(scoutRuns)
        .set({ status: "error", errorCode: code, endedAt: now() })
        .where(and(eq(scoutRuns.projectId, projectId), eq(scoutRuns.status, "running")))
        .run();
    },
  };
}
