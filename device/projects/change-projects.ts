import type { ProjectId } from "../../events/ids.ts";
import { isDeviceError } from "../errors.ts";
import { exactError } from "../exact-sentences.ts";
import { unlinkFolder } from "../folders/indexer/unlink-folder.ts";
import type { Project } from "../store/folder-schema.ts";
import type { DeviceStore } from "../store/open.ts";
import { editEntity } from "../work/change-entities.ts";

const longestName = 200;
/** What commands and agents say for no project. */
const ofNone = "none";

/**
 * What a project may be called, as somebody has typed it.
 *
 * @throws DeviceError `usage`; it names the field
 */
export function projectName(typed: string): string {
  const text = typed.trim();
  if (text === ofNone) throw exactError("usage", "reserved", { name: text }, { data: { field: "name" } });
  if (text !== "" && text.length <= longestName) return text;
  throw exactError("usage", "name", { longest: longestName }, { data: { field: "name" } });
}

/** What a project is called after something that nobody has typed as its name: as much of that as a name may have. */
export const projectNameAfter = (text: string): string => text.trim().slice(0, longestName).toWellFormed();

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
  const text = projectName(name);
  try {
    return change(text);
  } catch (error) {
    if (!isDeviceError(error, "project_exists")) throw error;
    throw exactError("project_exists", "named", { name: text }, { data: { field: "name" }, cause: error });
  }
}
