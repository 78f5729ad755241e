import { isDeviceError } from "../../errors.ts";
import { exactError } from "../../exact-sentences.ts";
import type { DeviceStore } from "../../store/open.ts";
import { addEntity, editEntity } from "../change-entities.ts";
import type { Draft, Task } from "../entities.ts";
import { isSaid, SaidAlready } from "./is-said.ts";
import type { FileTask } from "./task-file.ts";

/** What became of the tasks of a file. */
export interface ImportedTasks {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

/**
 * Takes the tasks of a file, all or none: one that was written from a task of this device changes that one, one that says
 * what another says already is passed over, so that a file can be taken twice.
 *
 * @throws DeviceError `value_invalid`, which names the task: a file has many
 */
export function importTasks(store: DeviceStore, tasks: readonly FileTask[], nowMs: number): ImportedTasks {
  return store.transaction(() => {
    const all = store.work.task.list();
    const byId = new Map<string, Task>(all.map((task) => [task.id, task]));
    const said = new SaidAlready<"task">(all, "doneAt");
    const counts = { added: 0, changed: 0, unchanged: 0 };
    for (const { id, draft } of tasks) {
      const before = id === undefined ? said.find(draft) : byId.get(id);
      if (before === undefined) {
        said.add(named(draft, () => addEntity(store, "task", { ...draft, doneAt: doneAtOf(draft, nowMs) }, nowMs)));
        counts.added++;
      } else if (isSaid(before, draft, "doneAt")) counts.unchanged++;
      else {
        named(draft, () => editEntity(store, "task", before.id, ended(before, draft, nowMs), nowMs));
        counts.changed++;
      }
    }
    return counts;
  });
}

/** What can be wrong with a task of a file, by its field. */
const wrong: Readonly<Record<string, "taskTitle" | "taskNote" | "taskDue">> = {
  title: "taskTitle",
  note: "taskNote",
  due: "taskDue",
};

/** A file may have thousands of tasks: what is refused is refused with how its title begins. */
function named<T>({ title = "" }: Draft<"task">, take: () => T): T {
  try {
    return take();
  } catch (error) {
    if (!isDeviceError(error, "value_invalid")) throw error;
    const about = wrong[String(error.data["field"])];
    if (about === undefined) throw error;
    const begins = title.length > 60 ? `${title.slice(0, 60).toWellFormed()}…` : title;
    throw exactError("value_invalid", about, { ...error.exact?.values, begins }, { data: error.data, cause: error });
  }
}

/** When it was done is known better here than a file says it. */
function ended(before: Task, draft: Draft<"task">, nowMs: number): Draft<"task"> {
  if (draft.status === before.status) return { ...draft, doneAt: before.doneAt };
  return { ...draft, doneAt: doneAtOf(draft, nowMs) };
}

const doneAtOf = ({ status, doneAt }: Draft<"task">, nowMs: number): number | null =>
  status === "done" ? (doneAt ?? nowMs) : null;
