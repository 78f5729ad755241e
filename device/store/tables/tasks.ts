import { asc, eq } from "drizzle-orm";
import { type ProjectId, type TaskId, taskId } from "../../../events/ids.ts";
import { DeviceError } from "../../errors.ts";
import { type Task, type TaskStatus, tasks } from "../folder-schema.ts";
import type { Database } from "../sqlite/sqlite.ts";

/** Tasks of projects. Only the person makes and changes them. */
export interface TaskTable {
  add(projectId: ProjectId, title: string): Task;
  find(id: TaskId): Task | undefined;
  /** In the order they were made. */
  list(projectId: ProjectId): Task[];
  /** @throws DeviceError `task_unknown` */
  setStatus(id: TaskId, status: TaskStatus): Task;
}

export function taskTable(db: Database, now: () => number, newId: () => string): TaskTable {
  return {
    add(projectId, title) {
      const row = { id: taskId.parse(`tsk_${newId()}`), projectId, title, createdAt: now(), updatedAt: now() };
      return db.insert(tasks).values(row).returning().get();
    },
    find: (id) => db.select().from(tasks).where(eq(tasks.id, id)).get(),
    list: (projectId) => db.select().from(tasks).where(eq(tasks.projectId, projectId)).orderBy(asc(tasks.id)).all(),
    setStatus(id, status) {
      const changed = db.update(tasks).set({ status, updatedAt: now() }).where(eq(tasks.id, id)).returning().get();
      if (changed === undefined) throw new DeviceError("task_unknown", { data: { id } });
      return changed;
    },
  };
}
