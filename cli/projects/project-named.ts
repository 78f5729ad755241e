import { projectId } from "../../events/ids.ts";
import { DeviceError } from "../../device/errors.ts";
import type { Project } from "../../device/store/folder-schema.ts";
import type { DeviceStore } from "../../device/store/open.ts";

/** Finds a project by its name, also in other letters when that names one only, or by its id. @throws DeviceError `project_unknown` */
export function projectNamed(store: DeviceStore, text: string): Project {
  const id = projectId.safeParse(text);
  const exact = id.success ? store.projects.find(id.data) : store.projects.findByName(text);
  if (exact !== undefined) return exact;
  const folded = store.projects.list().filter(({ name }) => name.toLowerCase() === text.toLowerCase());
  const [found, another] = folded;
  if (found !== undefined && another === undefined) return found;
  throw new DeviceError("project_unknown", { sentence: `There is no project ${text} on this device.` });
}
