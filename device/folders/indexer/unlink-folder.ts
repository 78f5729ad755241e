import type { Project } from "../../store/folder-schema.ts";
import type { DeviceStore } from "../../store/open.ts";

/** Forgets a project's folder and its manifest. A scan that runs stores nothing more. */
export function unlinkFolder(store: DeviceStore, { id }: Pick<Project, "id">): Project {
  return store.transaction(() => {
    store.localScouts.remove(id);
    return store.projects.unlink(id);
  });
}
