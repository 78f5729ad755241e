import { nearestNames } from "../../device/agent/nearest-names.ts";
import { called } from "../../device/errors/called.ts";
import { DeviceError } from "../../device/errors.ts";
import type { Project } from "../../device/store/folder-schema.ts";
import type { DeviceStore } from "../../device/store/open.ts";
import { projectId } from "../../events/ids.ts";
import { printable } from "../output/printable.ts";

/** Finds a project by its name, also in other letters and as it is shown when that names one only, or by its id. @throws DeviceError `project_unknown` */
export function projectNamed(store: DeviceStore, text: string): Project {
  const id = projectId.safeParse(text);
  const exact = id.success ? store.projects.find(id.data) : store.projects.findByName(text);
  if (exact !== undefined) return exact;
  const all = store.projects.list();
  const asShown = (name: string) => printable(name).toLowerCase();
  const folded = all.filter(({ name }) => asShown(name) === asShown(text));
  const [found, another] = folded;
  if (found !== undefined && another === undefined) return found;
  const near = nearestNames(
    text,
    all.map(({ name }) => name),
  );
  const cure =
    near.length === 0 ? "; `scouts project list` shows those there are." : `. Did you mean ${near.join(" or ")}?`;
  throw new DeviceError("project_unknown", { sentence: `There is no project ${called(text)} on this device${cure}` });
}
