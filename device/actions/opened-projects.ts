import type { ProjectId } from "../../events/ids.ts";
import { escapedName } from "../../shared/privacy/delimiters.ts";
import { auditArguments } from "../access/audit/trail.ts";
import { type OpenProject, openProject } from "../access/open-project.ts";
import { nobody } from "../access/policy/approver.ts";
import type { AccessSession } from "../access/session/session.ts";
import { isDeviceError } from "../errors.ts";
import { paidSummaries } from "../folders/manifest/paid-summaries.ts";
import { projectContent } from "../knowledge/search/project-content.ts";
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

export interface OpenedProjectsOptions {
  readonly store: DeviceStore;
  readonly dataFolder: string;
  /** Who calls, for the audit: `agent:home`. */
  readonly caller: string;
  /** The run, for the audit. */
  readonly session?: string | undefined;
  /** Nothing that may rest on mail is found in a project. Default false. */
  readonly leavesOutAnswers?: boolean | undefined;
  readonly now: () => number;
}

/** Tokens of files a run may be given, over all its calls: more than fit any model's window. */
export const maxRunTokens = 400_000;

/** Why a folder cannot be read just now. */
const cannotBeRead = [
  "folder_unreadable",
  "address_insecure",
  "bucket_credentials",
  "bucket_denied",
  "bucket_region",
  "bucket_unreachable",
  "bucket_busy",
] as const;

type Work = (opened: OpenedProject) => Promise<ActionResult>;

/** Does something with one file, unless it is kept from agents; that it was asked for stands in the project's trail. */
export async function unlessHidden(
  { project, session, hidden }: OpenedProject,
  tool: string,
  path: string,
  work: () => Promise<ActionResult>,
): Promise<ActionResult> {
  if (!(await hidden.among([path])).has(path)) return work();
  const event = { caller: session.caller, session: session.id, tool, args: auditArguments({ path }), files: [] };
  project.access.audit.append({ ...event, decision: "deny", outcome: "denied" });
  return failed("access_denied", "Access denied");
}

/** Projects are opened at their first call and stay open until the run is over. Nobody is there to approve anything. */
export class OpenedProjects {
  readonly #options: OpenedProjectsOptions;
  readonly #opened = new Map<ProjectId, Promise<OpenedProject | ActionResult>>();
  readonly #toClose: OpenProject[] = [];

  constructor(options: OpenedProjectsOptions) {
    this.#options = options;
  }

  /** Does something in a project; the result says so when there is none. */
  async within(id: ProjectId, work: Work): Promise<ActionResult> {
    const opened = await this.#get(id);
    return "session" in opened ? work(opened) : opened;
  }

  /** Does something with one file, unless it is kept from agents; that it was asked for stands in the project's trail. */
  withinFile(id: ProjectId, tool: string, path: string, work: Work): Promise<ActionResult> {
    return this.within(id, (opened) => unlessHidden(opened, tool, path, () => work(opened)));
  }

  close(): void {
    for (const project of this.#toClose.splice(0)) project.close();
  }

  #get(id: ProjectId): Promise<OpenedProject | ActionResult> {
    const known = this.#opened.get(id) ?? this.#open(id);
    this.#opened.set(id, known);
    // What could not be opened, a disk that was away, is tried again by the next call.
    known.then(
      (result) => "text" in result && this.#opened.delete(id),
      () => this.#opened.delete(id),
    );
    return known;
  }

  async #open(id: ProjectId): Promise<OpenedProject | ActionResult> {
    const { store, dataFolder, caller, session: run, leavesOutAnswers = false, now } = this.#options;
    const row = store.projects.find(id);
    if (row === undefined || row.folderPath === null) {
      return failed(
        "folder_not_linked",
        `No folder linked to project ${row === undefined ? id : escapedName(row.name)}.`,
      );
    }
    try {
      const project = await openProject({
        root: row.folderPath,
        dataFolder,
        approver: nobody,
        content: projectContent({ store, now, leavesOutAnswers }, id),
        paidSummaries: paidSummaries(store, id),
        now,
        newId: store.newId,
      });
      this.#toClose.push(project);
      const session = project.access.openSession({
        ...(run !== undefined && { id: run }),
        caller,
        backend: "cloud",
        limits: { tokensRead: maxRunTokens },
      });
      return { id, project, session, hidden: hiddenFiles(project.access.kit.files) };
    } catch (error) {
      if (isDeviceError(error, "usage", "folder_not_found")) {
        return failed(
          "folder_not_found",
          "Folder not found: the project's folder cannot be opened on this device. Its person may bring it back, or link the project to where it is now.",
        );
      }
      if (!isDeviceError(error, ...cannotBeRead)) throw error;
      return failed("folder_not_found", `The project's folder cannot be read now. ${error.message}`);
    }
  }
}
