import { DeviceError } from "../../device/errors.ts";
import type { Task } from "../../device/store/folder-schema.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { taskId } from "../../events/ids.ts";

/**
 * Finds a task by its id, or by its title or a part of it when that names one only; open tasks come before done ones.
 * @throws DeviceError `task_unknown`, `usage` (several are meant)
 */
export function taskNamed(store: DeviceStore, text: string): Task {
  const id = taskId.safeParse(text);
  const exact = id.success ? store.tasks.find(id.data) : undefined;
  if (exact !== undefined) return exact;
  const all = store.projects.list().flatMap((project) => store.tasks.list(project.id));
  const wanted = text.trim().toLowerCase();
  const called = all.filter(({ title }) => title.toLowerCase() === wanted);
  const like =
    called.length > 0 ? called : all.filter(({ title }) => wanted !== "" && title.toLowerCase().includes(wanted));
  const open = like.filter(({ status }) => status === "open");
  const [found, another] = open.length > 0 ? open : like;
  if (found === undefined)
    throw new DeviceError("task_unknown", { sentence: `There is no task ${text} on this device.` });
  if (another !== undefined) {
    throw new DeviceError("usage", { sentence: `Several tasks are called like ${text}; give the id.` });
  }
  return found;
}
