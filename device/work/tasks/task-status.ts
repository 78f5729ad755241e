import type { DeviceStore } from "../../store/open.ts";
import { editEntity, existing } from "../change-entities.ts";
import type { Task } from "../entities.ts";

/** Ends a task, or opens it again; one that stands so already stays as it is. @throws DeviceError `task_unknown` */
export function setTaskStatus(store: DeviceStore, id: string, status: Task["status"], nowMs: number): Task {
  return store.transaction(() => {
    const task = existing(store, "task", id);
    if (task.status === status) return task;
    return editEntity(store, "task", id, { status, doneAt: status === "done" ? nowMs : null }, nowMs);
  });
}
