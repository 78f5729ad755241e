import { accessErrorSentences } from "../access/errors.ts";
import type { OpenProject } from "../access/open-project.ts";
import { DeviceError } from "../errors.ts";
import { NullProjectFiles } from "../files/backends/null-project-files.ts";
import { isProjectFilesError } from "../files/errors.ts";
import { openKeptView } from "../files/materialize/materialize.ts";
import type { MaterializedView, SyncChange } from "../files/materialize/materialize-types.ts";
import { openView } from "../files/materialize/open-view.ts";
import { isSameState } from "../files/materialize/three-way.ts";
import { changeableIn } from "./changeable.ts";
import { type KeptRun, keptRunNamed, type States, writeKeptRun } from "./kept-runs.ts";
import { RecordedFiles } from "./recorded-files.ts";
import { type OfferedChange, type Review, reviewChanges } from "./review.ts";
import { openFolder, type ToolSetting } from "./run-tool.ts";

/** A run's changes, as they are now. */
export interface WaitingChanges extends Review {
  readonly run: KeptRun;
}

/** What was done with them. */
export interface AppliedChanges {
  readonly run: KeptRun;
  /** Conflicts say where the tool's version was put; a skip was not as it was shown. */
  readonly changes: readonly SyncChange[];
  /** Changes that were not approved as they are, and wait on. */
  readonly stillWaiting: number;
}

type Setting = Omit<ToolSetting, "variables">;

/**
 * What a run would change in the project now.
 * @throws DeviceError `tool_run_unknown`, `project_unknown`, and as `openFolder`
 */
export function waitingChanges(id: string, setting: Setting): Promise<WaitingChanges> {
  return withRun(id, setting, async (opened) => ({ run: opened.run, ...(await review(opened, setting)) }));
}

/**
 * Remembers that these changes were shown in full: a later yes without anybody at a terminal holds for them, as they were.
 * @throws as {@link waitingChanges}
 */
export function noteShown(id: string, shown: States, { dataFolder }: Setting): void {
  const { run, view } = keptRunNamed(dataFolder, id);
  writeKeptRun(view, { ...run, shown: [...shown] });
}

/**
 * Brings changes into the project that the person has said yes to, each only if the copy still has it exactly as it was
 * approved. What was changed in the project meanwhile stands, and the tool's version is put beside it.
 *
 *     approved, on the disk ──▶ file 1 ──▶ file 2 ──▶ … ──▶ copy removed
 *              │ killed: the copy and the approval are there; the same again goes on, and finds what was
 *              ╰──────── done before as it should be
 *
 * @throws as {@link waitingChanges}; ProjectFilesError `SyncFailed`: what was not done yet waits
 */
export function applyChanges(id: string, approved: States, setting: Setting): Promise<AppliedChanges> {
  return withRun(id, setting, async (opened) => {
    const { kit } = opened.project.access;
    if (kit.files.isReadOnly) throw new DeviceError("tool_refused", { sentence: accessErrorSentences.read_only });
    return kit.lease.run(() => {
      // Somebody else may have brought them in while this waited for its turn.
      const { run } = keptRunNamed(setting.dataFolder, opened.run.id);
      return applied({ ...opened, run }, approved, setting);
    });
  });
}

async function applied(opened: OpenedRun, approved: States, setting: Setting): Promise<AppliedChanges> {
  const { run, view, directory } = opened;
  const { offered } = await review(opened, setting);
  const isWaiting = run.state === "waiting";
  const granted: States = isWaiting ? approved : new Map(run.approved);
  const isGranted = ({ path, after }: OfferedChange) => granted.has(path) && isSameState(granted.get(path), after);
  const chosen = offered.filter(isGranted);
  const keepsCopy = chosen.length < offered.length;
  // Nothing but what may be brought back at all can be approved; what was before a crash is, and part of it may be done.
  const states = isWaiting ? chosen.map(({ path, after }): KeptRun["approved"][number] => [path, after]) : run.approved;
  const begun: KeptRun = { ...run, state: "applying", approved: states };
  writeKeptRun(directory, begun);
  const { changes } = await view.close({ approved: new Map(states), keepsCopy });
  if (keepsCopy) writeKeptRun(directory, { ...run, state: "waiting", approved: [] });
  return { run: begun, changes, stillWaiting: offered.length - chosen.length };
}

/** Has a run's changes gone, with its copy. @throws DeviceError `tool_run_unknown` */
export async function discardChanges(id: string, { dataFolder }: Setting): Promise<KeptRun> {
  const { run, view } = keptRunNamed(dataFolder, id);
  await (await stillKept(new NullProjectFiles(), view, openView)).discard();
  return run;
}

const review = async ({ run, view, project }: Omit<OpenedRun, "directory">, { dataFolder }: Setting): Promise<Review> =>
  reviewChanges(view, project.access.kit.files, run.writes, await changeableIn(project, dataFolder));

interface OpenedRun {
  readonly run: KeptRun;
  readonly view: MaterializedView;
  readonly project: OpenProject;
  /** Of the view. */
  readonly directory: string;
}

async function withRun<T>(id: string, setting: Setting, work: (opened: OpenedRun) => Promise<T>): Promise<T> {
  const { run, view: directory } = keptRunNamed(setting.dataFolder, id);
  const row = setting.store.projects.find(run.projectId);
  if (row === undefined) throw new DeviceError("project_unknown");
  const project = await openFolder(row, setting);
  try {
    const recording = { caller: "person", tool: `tool:${run.tool}`, session: run.id };
    const view = await stillKept(new RecordedFiles(project.access, recording), directory, openView);
    return await work({ run, view, project, directory });
  } finally {
    project.close();
  }
}

/** @throws DeviceError `tool_run_unknown`: another process has brought it in, or discarded it, meanwhile */
async function stillKept(...[store, directory, open]: Parameters<typeof openKeptView>): Promise<MaterializedView> {
  try {
    return await openKeptView(store, directory, open);
  } catch (error) {
    if (!isProjectFilesError(error, "NotFound")) throw error;
    throw new DeviceError("tool_run_unknown", { cause: error });
  }
}
