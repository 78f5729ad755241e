import type { ProjectId } from "../../events/ids.ts";
import { isDeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";
import { unlinkFolder } from "../folders/indexer/unlink-folder.ts";
import type { Project } from "../store/folder-schema.ts";
import type { DeviceStore } from "../store/open.ts";
import { editEntity } from "../work/change-entities.ts";

const longestName = 200;

/** Makes a project without a folder. @throws DeviceError `usage` (the name's length), `project_exists` */
export const addProject = (store: DeviceStore, name: string): Project =>
  named(name, (text) => store.projects.add(text));

/** Calls a project otherwise; everything in it stays. @throws DeviceError as {@link addProject}, `project_unknown` */
export const renameProject = (store: DeviceStore, id: ProjectId, name: string): Project =>
  named(name, (text) => store.projects.rename(id, text));

/**
 * Forgets a project: its folder and what is known of its files, its answers, and what has been put into it. The files, and the tasks and
 * proposals themselves, stay; that a task is of no project any more is in its history.
 *
 * @throws DeviceError `project_unknown`
 */
export function removeProject(store: DeviceStore, id: ProjectId, nowMs: number): Project {
  const project = store.projects.get(id);
  unlinkFolder(store, project);
  store.transaction(() => {
    for (const task of tasksOf(store, id)) editEntity(store, "task", task.id, { projectId: null }, nowMs);
    store.proposals.leaveProject(id);
    store.projects.remove(id);
  });
  return project;
}

const tasksOf = (store: DeviceStore, id: ProjectId) =>
  store.work.task.list().filter(({ projectId }) => projectId === id);

/** How many tasks and proposals are in a project: what is of none when it is removed. */
export function heldBy(store: DeviceStore, id: ProjectId): { readonly tasks: number; readonly proposals: number } {
  return { tasks: tasksOf(store, id).length, proposals: store.proposals.count({ projectId: id }) };
}

/** @throws DeviceError `usage`, `project_exists`; both name the field */
function named(name: string, change: (text: string) => Project): Project {
  const text = name.trim();
  const data = { field: "name" };
  if (text === "" || text.length > longestName) throw exactError("usage", "name", { longest: longestName }, { data });
  try {
    return change(text);
  } catch (error) {
    if (!isDeviceError(error, "project_exists")) throw error;
    throw exactError("project_exists", "named", { name: text }, { data, cause: error });
  }
}
