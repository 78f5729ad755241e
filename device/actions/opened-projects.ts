import type { ProjectId } from "../../events/ids.ts";
import { escapedName } from "../../shared/privacy/delimiters.ts";
import { type OpenProject, openProject } from "../access/open-project.ts";
import { nobody } from "../access/policy/approver.ts";
import type { AccessSession } from "../access/session/session.ts";
import { isDeviceError } from "../errors.ts";
import type { DeviceStore } from "../store/open.ts";
import { type ActionResult, failed } from "./action-result.ts";
import { type HiddenFiles, hiddenFiles } from "./hidden-files.ts";

/** A project whose folder is open for one run: what the run has read and may still read is the session's. */
export interface OpenedProject {
  readonly id: ProjectId;
  readonly project: OpenProject;
  readonly session: AccessSession;
  readonly hidden: HiddenFiles;
}

export interface OpenedProjects {
  /** The project, or why there is none. */
  get(id: ProjectId): Promise<OpenedProject | ActionResult>;
  close(): void;
}

export interface OpenedProjectsOptions {
  readonly store: DeviceStore;
  readonly dataFolder: string;
  /** Who calls, for the audit: `agent:home`. */
  readonly caller: string;
  readonly now: () => number;
}

/** Tokens of files a run may be given, over all its calls: more than fit any model's window. */
const maxRunTokens = 400_000;

/** Projects are opened at their first call and stay open until the run is over. Nobody is there to approve anything. */
export function openedProjects({ store, dataFolder, caller, now }: OpenedProjectsOptions): OpenedProjects {
  const opened = new Map<ProjectId, Promise<OpenedProject | ActionResult>>();
  const toClose: OpenProject[] = [];

  const open = async (id: ProjectId): Promise<OpenedProject | ActionResult> => {
    const row = store.projects.find(id);
    const folderPath = row?.folderPath ?? null;
    if (folderPath === null) {
      return failed(
        "folder_not_linked",
        `No folder linked to project ${row === undefined ? id : escapedName(row.name)}.`,
      );
    }
    try {
      const project = await openProject({ root: folderPath, dataFolder, approver: nobody, now });
      toClose.push(project);
      const limits = { tokensRead: maxRunTokens };
      const session = project.access.openSession({ caller, backend: "cloud", limits });
      return { id, project, session, hidden: hiddenFiles(project.access.kit.files) };
    } catch (error) {
      if (!isDeviceError(error, "usage")) throw error;
      return failed("folder_not_found", "Folder not found: the project's folder cannot be opened on this device.");
    }
  };

  return {
    get(id) {
      const known = opened.get(id) ?? open(id);
      opened.set(id, known);
      // What could not be opened, a disk that was away, is tried again by the next call.
      known.then(
        (result) => "text" in result && opened.delete(id),
        () => opened.delete(id),
      );
      return known;
    },
    close() {
      for (const project of toClose.splice(0)) project.close();
    },
  };
}
