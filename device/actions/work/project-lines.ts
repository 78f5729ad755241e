import type { DeviceStore } from "../../store/open.ts";
import { workLine } from "./work-line.ts";

const mostProjects = 200;

/** The person's projects, a line of JSON for each after one about all of them. */
export function projectLines(store: DeviceStore): string {
  const all = store.projects.list();
  const shown = all.slice(0, mostProjects);
  const about = workLine({ projects: shown.length, more: all.length - shown.length });
  return [about, ...shown.map(({ id, name }) => workLine({ id, name }))].join("\n");
}
