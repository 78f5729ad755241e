import { existsSync } from "node:fs";
import type { ContentSearch } from "../../access/content-search.ts";
import { AccessError } from "../../access/errors.ts";
import { lastPlaceOf } from "../../files/place/folder-place.ts";
import type { Project } from "../../store/folder-schema.ts";
import { type DeviceStore, openDeviceStore, storePath } from "../../store/open.ts";
import type { TimeAndIds } from "../../time-and-ids.ts";
import { projectContent } from "./project-content.ts";

export interface FolderContentOptions {
  /** Opens what agents left, where that is encrypted. */
  readonly passphrase?: string | undefined;
  /** As {@link projectContent} has it. */
  readonly leavesOutAnswers?: boolean;
}

/**
 * The search of a folder's content for a program that knows the folder only. A folder that is linked to no project of this
 * device has none (`not_indexed`).
 *
 * @param root absolute, or a bucket's address
 */
export function contentOfFolder(
  dataFolder: string,
  root: string,
  timeAndIds: TimeAndIds,
  { passphrase, leavesOutAnswers = false }: FolderContentOptions = {},
): ContentSearch {
  return {
    async find(query, limit) {
      if (!existsSync(storePath(dataFolder))) throw new AccessError("not_indexed");
      const store = openDeviceStore({ ...timeAndIds, dataFolder, mustExist: true, passphrase });
      try {
        const project = projectOfFolder(store, lastPlaceOf(root));
        if (project === undefined) throw new AccessError("not_indexed");
        return await projectContent({ store, now: timeAndIds.now, leavesOutAnswers }, project.id).find(query, limit);
      } finally {
        store.close();
      }
    },
  };
}

/** The project a folder is linked to. @param place what the folder is known by */
export function projectOfFolder(store: DeviceStore, place: string): Project | undefined {
  return store.projects.list().find(({ folderPath }) => folderPath !== null && lastPlaceOf(folderPath) === place);
}
