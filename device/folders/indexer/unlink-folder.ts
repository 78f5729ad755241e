import { indexPath, keptIndexPath, removeIndexFile } from "../../knowledge/index/index-file.ts";
import type { Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";

/** Forgets a project's folder, its manifest and its index. A scan that runs stores nothing more. */
export function unlinkFolder(store: DeviceStore, { id }: Pick<Project, "id">): Project {
  const unlinked = store.transaction(() => {
    store.localScouts.remove(id);
    // They hold what it says.
    store.answers.forgetProject(id);
    return store.projects.unlink(id);
  });
  removeIndexFile(indexPath(store.dataFolder, id));
  // What agents read in it; the rest is put in again by the next look or search.
  removeIndexFile(keptIndexPath(store.dataFolder));
  return unlinked;
}
