import type { AccessRules } from "../../access/policy/rules.ts";
import { FsProjectFiles } from "../../files/backends/fs/fs-project-files.ts";
import type { DeviceStore } from "../../store/open.ts";
import { ShownPaths } from "./shown-paths.ts";

/** Whether files of any project may be shown now; each project's rules are read once. */
export function shownFiles(
  store: DeviceStore,
  rules: AccessRules,
): (projectId: string | null, path: string) => Promise<boolean> {
  const byProject = new Map<string, Promise<ShownPaths | undefined>>();
  const rulesOf = async (id: string) => {
    const folder = store.projects.list().find((project) => project.id === id)?.folderPath;
    return folder == null ? undefined : ShownPaths.of(new FsProjectFiles(folder), rules);
  };
  return async (projectId, path) => {
    if (projectId === null) return false;
    const known = byProject.get(projectId) ?? rulesOf(projectId);
    byProject.set(projectId, known);
    return (await (await known)?.shows(path)) === true;
  };
}
