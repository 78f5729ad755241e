import type { Project } from "../../store/folder-schema.ts";
import type { TimeAndIds } from "../../time-and-ids.ts";
import { openIfSound } from "./open-if-sound.ts";

/** A project that has a folder, on this machine or in a bucket. */
export type LinkedProject = Project & { readonly folderPath: string };

/** The projects of a data folder that have one; none where its database cannot be opened, which is a check of its own. */
export function linkedProjects(dataFolder: string, timeAndIds: TimeAndIds): LinkedProject[] {
  const store = openIfSound(dataFolder, timeAndIds);
  if (store === undefined) return [];
  try {
    return store.projects
      .list()
      .flatMap(({ folderPath, ...rest }) => (folderPath === null ? [] : [{ ...rest, folderPath }]));
  } finally {
    store.close();
  }
}
