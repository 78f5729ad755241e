import type { PersonalConfig } from "../../config/config-schema.ts";
import { personalPlaces } from "../../config/personal-config.ts";
import { isProjectFilesError } from "../../files/errors.ts";
import { openFolder } from "../../files/place/folder-place.ts";
import type { ProjectFiles } from "../../files/project-files.ts";
import type { DeviceStore } from "../../store/open.ts";
import { ShownPaths } from "./shown-paths.ts";

/** Whether files of any project are there and may be shown now; each project's rules are read once. */
export function shownFiles(
  store: DeviceStore,
  config: PersonalConfig,
): (projectId: string | null, path: string) => Promise<boolean> {
  const byProject = new Map<string, Promise<Shown | undefined>>();
  const shownOf = async (id: string): Promise<Shown | undefined> => {
    const folder = store.projects.list().find((project) => project.id === id)?.folderPath;
    if (folder == null) return undefined;
    try {
      const files = openFolder(folder);
      const paths = await ShownPaths.of(files, personalPlaces(config, folder), store.dataFolder);
      return paths && { paths, files };
    } catch (error) {
      // A folder that is away: nobody can say what in it may be shown.
      if (isProjectFilesError(error)) return undefined;
      throw error;
    }
  };
  return async (projectId, path) => {
    if (projectId === null) return false;
    const known = byProject.get(projectId) ?? shownOf(projectId);
    byProject.set(projectId, known);
    const shown = await known;
    return shown !== undefined && (await shown.paths.shows(path)) && (await isThere(shown.files, path));
  };
}

interface Shown {
  readonly paths: ShownPaths;
  readonly files: ProjectFiles;
}

async function isThere(files: ProjectFiles, path: string): Promise<boolean> {
  try {
    return await files.exists(path);
  } catch (error) {
    // A path that no file can have, or a drive that went away: it is not shown.
    if (isProjectFilesError(error)) return false;
    throw error;
  }
}
