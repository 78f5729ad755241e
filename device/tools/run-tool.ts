import { type OpenProject, openProject } from "../access/open-project.ts";
import { nobody } from "../access/policy/approver.ts";
import { isOwnData } from "../access/policy/decide.ts";
import { openDeviceTrail } from "../actions/device-trail.ts";
import { openArtifacts } from "../artifacts/open-artifacts.ts";
import { DeviceError } from "../errors.ts";
import { NullProjectFiles } from "../files/backends/null-project-files.ts";
import { isProjectFilesError } from "../files/errors.ts";
import { removeAbandonedViews } from "../files/materialize/view-directory.ts";
import { dataFolderIn } from "../files/place/data-folder-place.ts";
import { requireThere } from "../folders/linked-away.ts";
import { notLinked } from "../folders/not-linked.ts";
import type { Project } from "../store/folder-schema.ts";
import type { DeviceStore } from "../store/open.ts";
import type { TimeAndIds } from "../time-and-ids.ts";
import { killAbandoned } from "../workspace/process-tree.ts";
import type { SubprocessOutcome } from "../workspace/subprocess.ts";
import type { GivenArguments } from "../workspace/tool-arguments.ts";
import type { ToolDefinition } from "../workspace/tool-definition.ts";
import { type Variables, Workspace, type WorkspaceRun } from "../workspace/workspace.ts";
import { changeableIn } from "./changeable.ts";
import { keptRuns, mostKeptRuns, viewRootOf, writeKeptRun } from "./kept-runs.ts";
import { type OfferedChange, type RefusedChange, reviewChanges } from "./review.ts";
import { confirmedToolList, toolNamed } from "./tool-list.ts";

/** What every use of tools needs. */
export interface ToolSetting extends TimeAndIds {
  readonly dataFolder: string;
  readonly store: DeviceStore;
  /** The person's own environment. */
  readonly variables: Variables;
}

export interface ToolRequest {
  readonly name: string;
  /** Null: it runs in an empty folder. */
  readonly project: Project | null;
  readonly arguments: GivenArguments;
  /** For the audit: `person`, `agent:home`. */
  readonly caller: string;
  /** For the audit; the run's own id when left out. */
  readonly session?: string;
  /** How it came that it may run, for the audit. */
  readonly decision?: "allow" | "approved";
  /** False for who wants the output alone: what the tool changes in its copy is gone with it. Default true. */
  readonly keepsChanges?: boolean;
  /** Its copy then holds what agents may read, and nothing else. */
  readonly isForAgent?: boolean;
  /** Asked each time before a tool works in place; nobody is there when left out. */
  readonly mayWorkInPlace?: (root: string) => Promise<boolean>;
  readonly signal?: AbortSignal;
}

/** What came of it. A tool that fails is no error: see `end` and `exitCode`. */
export interface ToolRun extends Omit<SubprocessOutcome, "output"> {
  readonly id: string;
  readonly tool: string;
  readonly projectId: string | null;
  /** What it printed, beginning and end of it when it is long. */
  readonly output: string;
  readonly outputBytes: number;
  /** Where all that was kept of a long output is. */
  readonly artifact: string | null;
  /** They wait for the person under this run's id. */
  readonly offered: readonly OfferedChange[];
  readonly refused: readonly RefusedChange[];
  /** Files that were not copied for it. */
  readonly leftOut: readonly string[];
}

const shownCharacters = 20_000;

/**
 * Runs an allowed tool, in a copy of the project unless it is declared in place. What it changed there waits until the
 * person says yes (`applyChanges`) or no.
 *
 * @throws DeviceError `tool_unknown`, `tool_list_unconfirmed`, `tool_argument_invalid`, `tool_refused`,
 * `tool_changes_waiting`, `folder_not_linked`, and those of {@link openProject}; ProjectFilesError as `Workspace.run`
 */
export async function runTool(request: ToolRequest, setting: ToolSetting): Promise<ToolRun> {
  const { dataFolder, now, newId } = setting;
  const tool = toolNamed(confirmedToolList(setting), request.name);
  if (tool.project !== undefined && tool.project !== request.project?.id) {
    const sentence = `${tool.name} is allowed for one project only; name it with --project ${tool.project}.`;
    throw new DeviceError("tool_refused", { sentence });
  }
  if (keptRuns(dataFolder).length >= mostKeptRuns) throw new DeviceError("tool_changes_waiting");
  await killAbandoned();
  await removeAbandonedViews(viewRootOf(dataFolder), now);
  const opened = request.project === null ? undefined : await openFolder(request.project, setting);
  const id = `tlr_${newId()}`;
  try {
    await refuseInPlace(tool, request, opened);
    const run = await runAudited(id, tool, request, { ...setting, opened });
    return await finished(id, tool, request, run, { ...setting, opened });
  } finally {
    opened?.close();
  }
}

type Opened = ToolSetting & { readonly opened: OpenProject | undefined };

/** @throws DeviceError `folder_not_linked`, those of {@link requireThere}, and those of {@link openProject} */
export async function openFolder(
  { folderPath, name }: Project,
  { dataFolder, now, newId }: Omit<ToolSetting, "variables" | "store">,
): Promise<OpenProject> {
  if (folderPath === null) throw notLinked(name);
  requireThere({ name, folderPath });
  return openProject({ root: folderPath, dataFolder, approver: nobody, now, newId, refreshesRegistry: false });
}

async function refuseInPlace(
  tool: ToolDefinition,
  request: ToolRequest,
  opened: OpenProject | undefined,
): Promise<void> {
  if (!tool.inPlace) return;
  if (opened === undefined) {
    throw new DeviceError("tool_refused", {
      sentence: `${tool.name} works on a project itself; name one with --project.`,
    });
  }
  if (await request.mayWorkInPlace?.(opened.root)) return;
  const sentence = `${tool.name} works on the project itself, so it is asked about every time; run it at a terminal and answer yes.`;
  throw new DeviceError("tool_refused", { sentence });
}

async function readableFor(
  { isForAgent, caller, session }: ToolRequest,
  opened: OpenProject | undefined,
): Promise<(path: string) => Promise<boolean>> {
  if (!isForAgent || opened === undefined) return async () => true;
  const { access } = opened;
  return access.mayShow(
    access.openSession({ caller, backend: "cloud", ...(session !== undefined && { id: session }) }),
  );
}

/** Every run is in the audit, whatever becomes of it. */
async function runAudited(
  id: string,
  tool: ToolDefinition,
  request: ToolRequest,
  { opened, ...setting }: Opened,
): Promise<WorkspaceRun> {
  const { dataFolder, variables, now } = setting;
  const mayRead = await readableFor(request, opened);
  const files = opened?.access.kit.files ?? new NullProjectFiles();
  const { foldsCase } = files.folding;
  // It may lie in the project: a tool never has it in its copy.
  const rules = { personal: [], ownData: dataFolderIn(files.displayRoot, dataFolder, foldsCase) };
  const workspace = new Workspace({
    files,
    viewRoot: viewRootOf(dataFolder),
    variables,
    mayCopy: async (path) => !isOwnData(path, { rules, foldsCase }) && (await mayRead(path)),
  });
  const { trail, close } = openDeviceTrail(dataFolder, now);
  const audit = (outcome: string) =>
    trail.append({
      caller: request.caller,
      session: request.session ?? id,
      tool: `tool:${tool.name}`,
      args: { run: id, projectId: request.project?.id ?? null, arguments: { ...request.arguments }, argv: tool.argv },
      files: [],
      decision: request.decision ?? (tool.inPlace ? "approved" : "allow"),
      outcome,
    });
  try {
    audit("started");
    const run = await workspace.run(tool, request.arguments, request.signal);
    const { end, exitCode } = run.outcome;
    try {
      audit(end === "exited" ? `exit ${exitCode}` : end);
    } catch (error) {
      // A tool that filled the disk leaves no room to say so: its copy goes first.
      await run.view.discard();
      throw error;
    }
    return run;
  } catch (error) {
    audit("failed");
    if (!isProjectFilesError(error, "TooLarge")) throw error;
    const sentence = `The project has more than ${tool.name} may have on the disk; copy less of it (--reads), or let it be more (--max-written).`;
    throw new DeviceError("tool_refused", { sentence, cause: error });
  } finally {
    close();
  }
}

async function finished(
  id: string,
  tool: ToolDefinition,
  request: ToolRequest,
  { outcome, view }: WorkspaceRun,
  { opened, ...setting }: Opened,
): Promise<ToolRun> {
  try {
    const { output, ...facts } = outcome;
    const printed = await keptOutput(id, tool.name, request, output, setting);
    const { project, keepsChanges = true } = request;
    // What was ended half-way is no result.
    const isReviewed = opened !== undefined && !view.isProject && keepsChanges && outcome.end === "exited";
    const { offered, refused } = isReviewed
      ? await reviewChanges(view, opened.access.kit.files, tool.writes, await changeableIn(opened, setting.dataFolder))
      : { offered: [], refused: [] };
    if (offered.length > 0 && project !== null) {
      const { caller } = request;
      const who = { id, tool: tool.name, projectId: project.id, writes: tool.writes, caller, at: setting.now() };
      await view.keep((kept) => writeKeptRun(kept, { ...who, state: "waiting", shown: [], approved: [] }));
    } else await view.discard();
    const { leftOut } = view;
    return { id, tool: tool.name, projectId: project?.id ?? null, ...facts, ...printed, offered, refused, leftOut };
  } catch (error) {
    await view.discard();
    throw error;
  }
}

async function keptOutput(
  id: string,
  name: string,
  { project, arguments: given, caller }: ToolRequest,
  bytes: Uint8Array,
  { dataFolder, store, now, newId }: ToolSetting,
): Promise<Pick<ToolRun, "output" | "outputBytes" | "artifact">> {
  const text = new TextDecoder().decode(bytes);
  const outputBytes = bytes.length;
  if (text.length <= shownCharacters) return { output: text, outputBytes, artifact: null };
  const artifacts = openArtifacts(dataFolder, { now, newId }, store.vault);
  // A tool may change things, so it is not run again by itself to have its output again.
  const origin = { threadId: id, taskId: caller, toolCallId: newId(), tool: `tool:${name}`, readOnly: false };
  const about = { arguments: { ...given }, ...(project !== null && { projectId: project.id }) };
  const kept = await artifacts.keep(text, { ...origin, ...about });
  await artifacts.endThread(id);
  await artifacts.flush();
  const half = shownCharacters / 2;
  const left = text.length - shownCharacters;
  const output = `${text.slice(0, half)}\n[… ${left} characters left out …]\n${text.slice(-half)}`.toWellFormed();
  return { output, outputBytes, artifact: kept.kind === "file" ? kept.metadata.id : null };
}
