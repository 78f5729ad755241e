import type { ProjectId } from "../../../events/ids.ts";
import type { ToolOutcome } from "../../access/file-access.ts";
import type { Approver } from "../../access/policy/approver.ts";
import type { Clock } from "../../connection/clock.ts";
import type { OpenedFolders } from "../../projects/opened-folders.ts";
import type { DeviceStore } from "../../store/open.ts";
import type { HttpCaller, HttpCallers } from "./callers.ts";
import { followChanges, type StreamMessage } from "./change-events.ts";
import type { ToolRequest } from "./tool-requests.ts";

export interface FileCallParts {
  readonly store: Pick<DeviceStore, "projects">;
  readonly folders: Pick<OpenedFolders, "within">;
  readonly callers: Pick<HttpCallers, "find">;
  readonly clock: Clock;
  /** Who is asked about what the rules of a folder ask about. */
  readonly approverAt: (root: string) => Approver;
}

/** What a tool has answered, and when an allowance that was used up begins anew. */
export interface Called {
  readonly outcome: ToolOutcome;
  readonly retryAfterMs: number;
}

export type FileCalls = ReturnType<typeof fileCalls>;

/** What programs can do with files over HTTP: call the tools that models have, and follow what becomes of files. */
export function fileCalls({ store, folders, callers, clock, approverAt }: FileCallParts) {
  return {
    /** Who holds a token; undefined: nobody. */
    caller: (token: string) => callers.find(token),

    /** Projects with a folder that a caller may work on. */
    projects({ project: only, right }: HttpCaller) {
      const open = store.projects.list().filter(({ id, folderPath }) => folderPath !== null && (only ?? id) === id);
      return open.map(({ id, name }) => ({ id, name, right }));
    },

    /** @throws DeviceError as `OpenedFolders.within` */
    call(caller: HttpCaller, project: ProjectId, { tool, args }: ToolRequest, signal: AbortSignal): Promise<Called> {
      return folders.within(project, async ({ access, root }) => {
        const { session, endsAtMs } = caller.session({ root, access, approver: approverAt(root) });
        const outcome = await access.call(session, tool, args, signal);
        return { outcome, retryAfterMs: endsAtMs - clock.now() };
      });
    },

    /** Whether a project's folder can be opened at all. @throws DeviceError as `OpenedFolders.within` */
    open: (project: ProjectId) => folders.within(project, async () => undefined),

    /** Hands on what becomes of files, until the reader is gone or may hear no more. @throws DeviceError as `OpenedFolders.within` */
    follow(
      caller: HttpCaller,
      project: ProjectId,
      { after, signal }: { readonly after: number | undefined; readonly signal: AbortSignal },
      tell: (message: StreamMessage) => Promise<unknown>,
    ): Promise<void> {
      return folders.within(project, async ({ access, root }) => {
        const { session } = caller.session({ root, access, approver: approverAt(root) });
        const folder = () => store.projects.find(project)?.folderPath;
        const linked = folder();
        const isStillGood = () => caller.isStillGood() && folder() === linked;
        const messages = followChanges({ access, session, clock, isStillGood }, after, signal);
        for await (const message of messages) await tell(message);
      });
    },
  };
}
