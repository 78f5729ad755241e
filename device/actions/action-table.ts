import { randomUUID } from "node:crypto";
import { type DeviceActionInput, type DeviceActionName, deviceActions } from "../../events/actions.ts";
import type { ArtifactToolName } from "../../events/artifact-tools.ts";
import type { ProjectId } from "../../events/ids.ts";
import { type FileToolInput, fileTools } from "../../events/tools.ts";
import { head, headWithNote, shownCharacters } from "../../shared/llm/shown-text.ts";
import type { AuditEvent } from "../access/audit/record.ts";
import { type AuditTrail, auditArguments } from "../access/audit/trail.ts";
import { isArtifactError } from "../artifacts/errors.ts";
import { isDeviceError } from "../errors.ts";
import { readManifest, readRecent } from "../folders/manifest/read-manifest.ts";
import type { DeviceStore } from "../store/open.ts";
import { type ActionResult, failed } from "./action-result.ts";
import { grepFiles, listFiles, readLines } from "./file-tools.ts";
import { type OpenedProject, openedProjects } from "./opened-projects.ts";
import { type Extract, readProjectFile } from "./read-project-file.ts";
import type { LongResult, RunArtifacts } from "./run-artifacts.ts";

export interface ActionTableOptions {
  readonly store: DeviceStore;
  readonly dataFolder: string;
  /** Who asks, for the audit: `agent:home`. */
  readonly caller: string;
  /** The run, for the audit. */
  readonly session: string;
  /** Takes what is about the device and not about one project's files. */
  readonly trail: AuditTrail;
  readonly extract: Extract;
  /** A manifest that was read is out of date: a scan may begin, nobody waits for it. */
  readonly onStale?: (projectId: ProjectId) => void;
  /** Where results go that are too long to be shown; without it they are cut. */
  readonly artifacts?: RunArtifacts;
  readonly now?: () => number;
}

export interface ActionTable {
  /**
   * Does what the cloud asks, if it is in the table. Never throws: what goes wrong is in the result.
   * @param callId names what is kept of the result
   */
  run(action: string, data: Readonly<Record<string, unknown>>, callId?: string): Promise<ActionResult>;
  close(): void;
}

type Actions = { readonly [A in DeviceActionName]: (input: DeviceActionInput<A>) => Promise<ActionResult> };

/**
 * The one place where something the cloud asks for becomes something that happens on the device. What is not in the table
 * does not happen, and nothing in the table writes.
 */
export function actionTable(options: ActionTableOptions): ActionTable {
  const { store, dataFolder, caller, trail, extract, artifacts, now = Date.now } = options;
  const projects = openedProjects({ store, dataFolder, caller, now });

  const inProject = async (id: ProjectId, work: (opened: OpenedProject) => Promise<ActionResult>) => {
    const opened = await projects.get(id);
    return "session" in opened ? work(opened) : opened;
  };

  /** One file, unless it is kept from agents; that it was asked for stands in the project's trail. */
  const inFile = (id: ProjectId, tool: string, path: string, work: (opened: OpenedProject) => Promise<ActionResult>) =>
    inProject(id, async (opened) => {
      if (!(await opened.hidden.among([path])).has(path)) return work(opened);
      const { audit: trailOfProject } = opened.project.access;
      const event = { caller, session: opened.session.id, tool, args: auditArguments({ path }), files: [] };
      trailOfProject.append({ ...event, decision: "deny", outcome: "denied" });
      return failed("access_denied", "Access denied");
    });

  const artifact = async (name: ArtifactToolName, input: unknown): Promise<ActionResult> =>
    artifacts === undefined ? failed("refused", "Nothing is kept in this run.") : artifacts.call(name, input);

  const readLinesOf = (id: ProjectId, input: FileToolInput<"read_lines">) =>
    inFile(id, "read_lines", input.path, (opened) => readLines(opened, input));

  const actions: Actions = {
    async list_projects_with_folder_manifests() {
      return { text: (await readRecent({ store, now })).text };
    },
    async read_project_folder_manifest({ project_id }) {
      const { text, wantsScan } = await readManifest(project_id, { store, now });
      if (wantsScan) options.onStale?.(project_id);
      return { text };
    },
    read_project_folder_file: ({ project_id, relative_path }) =>
      inFile(project_id, "read_file", relative_path, (opened) => {
        const summaryOf = (path: string) => store.folderFiles.find(project_id, path)?.summary ?? null;
        return readProjectFile(opened, relative_path, { extract, summaryOf, keepsWhole: artifacts !== undefined });
      }),
    list_files: ({ project_id, ...input }) =>
      inProject(project_id, (opened) => listFiles(opened, fileTools.list_files.input.parse(input))),
    read_lines: ({ project_id, ...input }) => readLinesOf(project_id, fileTools.read_lines.input.parse(input)),
    grep_files: ({ project_id, ...input }) =>
      inProject(project_id, (opened) => grepFiles(opened, fileTools.grep_files.input.parse(input))),
    artifact_list: (input) => artifact("artifact_list", input),
    artifact_read: (input) => artifact("artifact_read", input),
    artifact_grep: (input) => artifact("artifact_grep", input),
    artifact_query: (input) => artifact("artifact_query", input),
  };

  /** What is shown of a result: all of it, or its beginning and where the rest is. */
  const shown = async (result: ActionResult, call: Pick<LongResult, "action" | "callId" | "data">) => {
    const { whole, ...short } = result;
    const isLong = result.text.length > shownCharacters.keptResult;
    const long = whole ?? (isLong ? { text: result.text } : undefined);
    if (artifacts === undefined || long === undefined || result.error !== undefined) return bounded(short);
    const beginning = isLong ? head(result.text, shownCharacters.keptResult) : result.text;
    return bounded({ ...short, text: await artifacts.keep({ ...call, shown: beginning, whole: long }) });
  };

  const audit = (event: Omit<AuditEvent, "caller" | "session" | "decision" | "files">) =>
    trail.append({ caller, session: options.session, decision: "none", files: [], ...event });

  return {
    async run(action, given, callId = randomUUID()) {
      const args = await filled(given, artifacts);
      const result = "data" in args ? await attempt(actions, action, args.data) : args;
      if (!hasOwnTrail(action, result)) {
        audit({ tool: action.slice(0, 100), args: auditArguments(given), outcome: result.error ?? "ok" });
      }
      return shown(result, { action, callId, data: given });
    },
    close: () => projects.close(),
  };
}

async function attempt(actions: Actions, action: string, data: unknown): Promise<ActionResult> {
  if (!isAction(action)) return failed("action_unknown", "The device knows no such action.");
  const parsed = deviceActions[action].input.safeParse(data);
  if (!parsed.success) {
    const where = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "arguments"}: ${message}`);
    return failed("invalid_arguments", where.slice(0, 5).join("; "));
  }
  try {
    // The parse above is what makes this true; TypeScript cannot see that schema and action belong together.
    return await (actions[action] as (input: unknown) => Promise<ActionResult>)(parsed.data);
  } catch (error) {
    if (isDeviceError(error, "project_unknown") || isDeviceError(error, "folder_not_linked")) {
      return failed("folder_not_linked", error.message);
    }
    // Whatever else went wrong is the device's own affair; its words may quote paths of the person's machine.
    return failed("internal", "The device could not do this.");
  }
}

/** Arguments with what they refer to, or why they cannot be had. */
async function filled(data: unknown, artifacts: RunArtifacts | undefined): Promise<{ data: unknown } | ActionResult> {
  if (artifacts === undefined) return { data };
  try {
    return { data: await artifacts.fill(data) };
  } catch (error) {
    if (!isArtifactError(error)) throw error;
    return failed("invalid_arguments", error.message);
  }
}

const isAction = (name: string): name is DeviceActionName => Object.hasOwn(deviceActions, name);

const fileActions: readonly string[] = ["read_project_folder_file", "list_files", "read_lines", "grep_files"];

/** Calls about files that reached the project are in its own trail already. */
const hasOwnTrail = (action: string, { error }: ActionResult): boolean =>
  fileActions.includes(action) &&
  !["invalid_arguments", "folder_not_linked", "folder_not_found", "internal"].includes(error ?? "");

function bounded(result: ActionResult): ActionResult {
  return { ...result, text: headWithNote(result.text, shownCharacters.deviceResult) };
}
