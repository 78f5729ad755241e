import type { ProjectId, TaskId } from "../../events/ids.ts";
import type { DeviceStore } from "../store/open.ts";
import type { Task } from "../work/entities.ts";
import { tasksInOrder } from "../work/tasks/task-order.ts";

/** A task in the list of its project. */
export interface ProjectTask extends Pick<Task, "title" | "due" | "priority" | "status"> {
  readonly id: TaskId;
}

export interface ProjectTasks {
  /** Open ones as they deserve attention, then those that are done, the newest first. */
  readonly tasks: readonly ProjectTask[];
  readonly total: number;
}

/**
 * The tasks of a project.
 *
 * @param limit at most so many
 * @param zone where the person is
 * @throws DeviceError `project_unknown`
 */
export function projectTasks(store: DeviceStore, id: ProjectId, limit: number, zone: string): ProjectTasks {
  store.projects.get(id);
  const all = store.work.task.list().filter(({ projectId }) => projectId === id);
  const open = tasksInOrder(
    all.filter(({ status }) => status === "open"),
    zone,
  );
  const done = all.filter(({ status }) => status === "done").sort((a, b) => (b.doneAt ?? 0) - (a.doneAt ?? 0));
  const tasks = [...open, ...done].slice(0, limit);
  return {
    tasks: tasks.map(({ id: task, title, due, priority, status }) => ({ id: task, title, due, priority, status })),
    total: all.length,
  };
}
