import type { FileToolName } from "../../events/agent-tools/file-tools.ts";
import type { ProjectId } from "../../events/ids.ts";
import type { FileAccess, ToolOutcome } from "../access/file-access.ts";
import { type OpenProject, openProject } from "../access/open-project.ts";
import { openPersonSession } from "../access/person-session.ts";
import { type Approver, nobody } from "../access/policy/approver.ts";
import type { AccessSession } from "../access/session/session.ts";
import { hiddenFiles } from "../actions/hidden-files.ts";
import { maxRunTokens, type OpenedProject } from "../actions/opened-projects.ts";
import type { Clock } from "../connection/clock.ts";
import { requireThere } from "../folders/linked-away.ts";
import { projectContent } from "../knowledge/search/project-content.ts";
import type { DeviceStore } from "../store/open.ts";
import { FileRefusal } from "./file-refusal.ts";
import { linkedFolder } from "./project-list.ts";

/** How long a folder stays open that nobody asks of: what was found out about a large file serves the next page of it. */
const idleMs = 60_000;

/** A person at work on a project's files. */
export interface PersonAtFiles {
  readonly project: OpenProject;
  readonly session: AccessSession;
  /** @throws FileRefusal */
  run<T extends FileToolName>(
    tool: T,
    args: Readonly<Record<string, unknown>>,
  ): Promise<Extract<ToolOutcome<T>, { ok: true }>["result"]>;
}

export interface OpenedFoldersOptions {
  readonly store: DeviceStore;
  readonly clock: Clock;
  /** Marks of credentials are the same when a folder is opened again, so that what shows them can be given back. */
  readonly answersKey: Uint8Array;
}

interface Opened {
  readonly root: string;
  readonly project: Promise<OpenProject>;
  users: number;
  /** The console has ended, perhaps while somebody was reading. */
  isClosed: boolean;
  cancelClose: () => void;
}

/** Folders of projects, opened for single files when somebody asks for one. Each request has a session of its own. */
export class OpenedFolders {
  readonly #options: OpenedFoldersOptions;
  readonly #opened = new Map<ProjectId, Opened>();

  constructor(options: OpenedFoldersOptions) {
    this.#options = options;
  }

  /**
   * Does something as the person whose device this is.
   *
   * @param approves whether the person says yes to what the rules ask about in this request
   * @throws FileRefusal; DeviceError `project_unknown`, `folder_not_linked`, `folder_not_found`
   */
  asPerson<R>(id: ProjectId, approves: boolean, work: (person: PersonAtFiles) => Promise<R>): Promise<R> {
    return this.within(id, async (project) => {
      const approver: Approver = approves ? { approve: async () => true } : nobody;
      const { access } = project;
      const session = openPersonSession(access, { approver });
      return work({
        project,
        session,
        async run(tool, args) {
          const outcome = await access.call(session, tool, args);
          if (outcome.ok) return outcome.result;
          throw new FileRefusal(outcome.error.code, outcome.error.message);
        },
      });
    });
  }

  /**
   * Edits as the person whose device this is: a change is made to exactly the content it names (`SessionOptions.isEditor`). How
   * long a file is asks nobody: a person at work on their own file has it all.
   *
   * @param approves whether the person says yes to what the rules ask about in this request
   * @throws DeviceError as {@link within}
   */
  asEditor<R>(
    id: ProjectId,
    approves: boolean,
    work: (access: FileAccess, session: AccessSession) => Promise<R>,
  ): Promise<R> {
    const approver: Approver = { approve: async ({ kind }) => approves || kind === "lines" || kind === "allowance" };
    return this.within(id, ({ access }) => work(access, openPersonSession(access, { approver, isEditor: true })));
  }

  /** Does something as an agent would: nobody is there to approve anything. @throws as {@link asPerson} */
  asAgent<R>(id: ProjectId, work: (opened: OpenedProject) => Promise<R>): Promise<R> {
    return this.within(id, async (project) => {
      const limits = { tokensRead: maxRunTokens };
      const session = project.access.openSession({ caller: "person", backend: "cloud", limits, approver: nobody });
      return work({ id, project, session, hidden: hiddenFiles(project.access.kit.files) });
    });
  }

  async close(): Promise<void> {
    const all = [...this.#opened.values()];
    this.#opened.clear();
    await Promise.allSettled(all.map((opened) => closeNow(opened)));
  }

  /**
   * Does something with a project's folder, in sessions of one's own.
   *
   * @throws DeviceError `project_unknown`, `folder_not_linked`, `folder_not_found`
   */
  async within<R>(id: ProjectId, work: (project: OpenProject) => Promise<R>): Promise<R> {
    const opened = this.#get(id);
    opened.cancelClose();
    opened.users += 1;
    try {
      return await work(await opened.project);
    } finally {
      opened.users -= 1;
      if (opened.users === 0) this.#closeLater(id, opened);
    }
  }

  #get(id: ProjectId): Opened {
    const { folderPath: root } = linkedFolder(this.#options.store, id);
    const known = this.#opened.get(id);
    if (known?.root === root) return known;
    const project = this.#open(id);
    const opened: Opened = { root, project, users: 0, isClosed: false, cancelClose: () => {} };
    this.#opened.set(id, opened);
    // What could not be opened is tried again by the next request.
    project.catch(() => this.#forget(id, opened));
    return opened;
  }

  async #open(id: ProjectId): Promise<OpenProject> {
    const { store, clock, answersKey } = this.#options;
    const linked = linkedFolder(store, id);
    requireThere(linked);
    return openProject({
      root: linked.folderPath,
      dataFolder: store.dataFolder,
      approver: nobody,
      answersKey,
      content: projectContent({ store, now: () => clock.now() }, id),
      now: () => clock.now(),
      newId: store.newId,
      refreshesRegistry: false,
    });
  }

  #forget(id: ProjectId, opened: Opened): void {
    if (this.#opened.get(id) === opened) this.#opened.delete(id);
  }

  #closeLater(id: ProjectId, opened: Opened): void {
    if (opened.isClosed) return;
    const isCurrent = this.#opened.get(id) === opened;
    opened.cancelClose = this.#options.clock.after(isCurrent ? idleMs : 0, () => {
      this.#forget(id, opened);
      void closeNow(opened);
    });
  }
}

/** One that could not be opened has nothing to close. */
async function closeNow(opened: Opened): Promise<void> {
  opened.cancelClose();
  if (opened.isClosed) return;
  opened.isClosed = true;
  const [project] = await Promise.allSettled([opened.project]);
  if (project.status === "fulfilled") project.value.close();
}
