import type { ProjectId, TaskId } from "../../../events/ids.ts";
import type { CloudApi } from "../../connect/cloud-api.ts";
import type { Clock } from "../../connection/clock.ts";
import { DeviceError } from "../../errors.ts";
import type { Rescans, ScanNow } from "../../folders/indexer/rescans.ts";
import { addProject, heldBy, removeProject, renameProject } from "../../projects/change-projects.ts";
import type { DiskLooks } from "../../projects/disk-looks.ts";
import { folderPlan, type ProjectOverview, projectOverview } from "../../projects/overview.ts";
import {
  giveFolder,
  linkedFolder,
  projectShown,
  projectsShown,
  type ShownProject,
} from "../../projects/project-list.ts";
import { projectTasks } from "../../projects/project-tasks.ts";
import type { DeviceStore } from "../../store/open.ts";
import { setTaskStatus } from "../../work/tasks/task-status.ts";
import type { EventLog } from "../news/event-log.ts";
import { toldReason, toldTroubleOf } from "../told.ts";
import { toldFile } from "./told-file.ts";

/** Tasks shown of a project. */
const shownTasks = 200;

export interface ProjectParts {
  readonly api: CloudApi;
  readonly store: DeviceStore;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly looks: DiskLooks;
  /** The IANA zone the person is in. */
  readonly zone: () => string;
  readonly rescans: Pick<Rescans, "rescanInBackground" | "scanOf" | "cancel">;
}

const toldLeftOut = ({ reason, count }: ProjectOverview["leftOut"][number]) => ({ why: toldReason(reason), count });

/** What a tab can do with projects. */
export type ProjectUseCases = ReturnType<typeof projectUseCases>;

/** The use cases of projects, as the console offers them; whatever they change is told to every tab. */
export function projectUseCases({ api, store, clock, zone, log, looks, rescans }: ProjectParts) {
  const changed = <T>(result: T): T => {
    log.add({ type: "scouts" });
    return result;
  };
  // What a project is called is shown, and offered, in every room.
  const changedEverywhere = <T>(result: T): T => {
    log.add({ type: "changed" });
    return result;
  };
  const told = (project: ShownProject) => ({
    ...project,
    trouble: toldTroubleOf(project.trouble),
    /** Of this program; null while nothing is read, or while another program reads it. */
    scan: (rescans.scanOf(project.id) ?? null) satisfies ScanNow | null,
  });

  return {
    projects: () => ({ projects: projectsShown(store).map(told) }),
    /** @throws DeviceError `project_unknown` */
    project: (id: ProjectId) => ({ project: told(projectShown(store, id)) }),
    /** @throws DeviceError `project_unknown` */
    overview(id: ProjectId) {
      const { entries, leftOut, ...overview } = projectOverview(store, id, looks.statesOf(id));
      return { overview: { ...overview, entries: entries.map(toldFile), leftOut: leftOut.map(toldLeftOut) } };
    },
    /** @throws as `folderPlan` */
    plan: async (id: ProjectId) => ({ plan: await folderPlan(store, api, id) }),

    /** @throws as `addProject` */
    add: (name: string) => changedEverywhere({ project: told(projectShown(store, addProject(store, name).id)) }),
    /** @throws as `renameProject` */
    rename: (id: ProjectId, name: string) =>
      changedEverywhere({ project: told(projectShown(store, renameProject(store, id, name).id)) }),
    /** What is of no project any more when this one is removed. @throws DeviceError `project_unknown` */
    held: (id: ProjectId) => ({ held: heldBy(store, store.projects.get(id).id) }),
    /** @throws as `removeProject` */
    remove(id: ProjectId) {
      rescans.cancel(id);
      removeProject(store, id, clock.now());
      return changedEverywhere({ removed: id });
    },

    /** Says which other folder it had. @throws as `giveFolder` */
    async giveFolder(id: ProjectId, path: string) {
      const { project, ...became } = await giveFolder(store, id, path);
      rescans.rescanInBackground(id, "link");
      return changed({ project: told(project), ...became });
    },

    /** Reads a folder again, after those that wait already. @throws DeviceError `project_unknown`, `folder_not_linked`, `scan_running` */
    rescan(id: ProjectId) {
      const { folderLastScanStatus } = linkedFolder(store, id);
      if (folderLastScanStatus === "scanning" && rescans.scanOf(id) === undefined)
        throw new DeviceError("scan_running");
      rescans.rescanInBackground(id, "manual");
      return changed({ project: told(projectShown(store, id)) });
    },

    /** Ends a scan of this program; what it has found out is kept. @returns false when there was none */
    cancelScan: (id: ProjectId) => changed({ cancelled: rescans.cancel(id) }),

    /** @throws DeviceError `project_unknown` */
    tasks: (id: ProjectId) => projectTasks(store, id, shownTasks, zone()),

    /** @throws DeviceError `task_unknown` */
    setTask(task: TaskId, status: "open" | "done") {
      const { id, title } = setTaskStatus(store, task, status, clock.now());
      log.add({ type: "work" });
      return { task: { id, title, status } };
    },
  };
}
