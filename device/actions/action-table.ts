import { type DeviceActionName, deviceActions } from "../../events/agent-tools/actions.ts";
import { headWithNote, shownCharacters } from "../../shared/llm/shown-text.ts";
import { type AuditTrail, auditArguments } from "../access/audit/trail.ts";
import { isArtifactError } from "../artifacts/errors.ts";
import { argumentWords } from "../errors/argument-words.ts";
import { isDeviceError } from "../errors.ts";
import { type ActionResult, failed } from "./action-result.ts";
import { type ActionPorts, type Actions, actionsOn } from "./actions.ts";
import { OpenedProjects } from "./opened-projects.ts";
import type { GivenResult, RunArtifacts } from "./run-artifacts.ts";

export interface ActionTableOptions extends ActionPorts {
  readonly dataFolder: string;
  /** Who asks, for the audit: `agent:home`. */
  readonly caller: string;
  /** What may be asked for at most; all there is when left out. */
  readonly only?: readonly DeviceActionName[] | undefined;
  /** Nothing that may rest on mail is found in a project. Default false. */
  readonly leavesOutAnswers?: boolean | undefined;
  /** The run, for the audit. */
  readonly session: string;
  /** Takes what is about the device and not about one project's files. */
  readonly trail: AuditTrail;
}

/**
 * The one place where something the cloud asks for becomes something that happens on the device. What is not in the table
 * does not happen.
 */
export class ActionTable {
  readonly #options: ActionTableOptions;
  readonly #projects: OpenedProjects;
  readonly #actions: Actions;

  constructor(options: ActionTableOptions) {
    this.#options = options;
    this.#projects = new OpenedProjects(options);
    this.#actions = actionsOn(options, this.#projects);
  }

  /**
   * Does what the cloud asks, if it is in the table. What goes wrong with that is in the result.
   *
   * @param callId names what is kept of the result
   * @throws (rejects) DeviceError, ArtifactError where the trail cannot be written or the result not be kept
   */
  async run(action: string, given: Readonly<Record<string, unknown>>, callId: string): Promise<ActionResult> {
    const args = await filled(given, this.#options.artifacts);
    const result = !("data" in args)
      ? args
      : this.#mayAsk(action, args.data)
        ? await attempt(this.#actions, action, args.data)
        : failed("action_unknown", "This run may not ask for that.");
    if (!hasOwnTrail(action, given, result)) this.#audit(action, given, result.error ?? "ok");
    return this.#shown(result, { action, callId, data: given });
  }

  #mayAsk(action: string, data: unknown): boolean {
    const { only, onlyProject } = this.#options;
    if (only !== undefined && !only.some((name) => name === action)) return false;
    const named = typeof data === "object" && data !== null && "project_id" in data ? data.project_id : undefined;
    return onlyProject === undefined || named === undefined || named === onlyProject;
  }

  close(): void {
    this.#projects.close();
  }

  /** What is shown of a result: all of it, or its beginning and where the rest is. */
  async #shown(result: ActionResult, call: Pick<GivenResult, "action" | "callId" | "data">): Promise<ActionResult> {
    const { artifacts } = this.#options;
    const { whole, ...short } = result;
    if (artifacts === undefined || result.error !== undefined) return bounded(short);
    const { text, filesRead = [] } = result;
    return bounded({ ...short, text: await artifacts.shown({ ...call, text, whole, filesRead }) });
  }

  #audit(action: string, given: Readonly<Record<string, unknown>>, outcome: string): void {
    const { trail, caller, session } = this.#options;
    const args = auditArguments(given);
    trail.append({ caller, session, tool: action.slice(0, 100), args, files: [], decision: "none", outcome });
  }
}

async function attempt(actions: Actions, action: string, data: unknown): Promise<ActionResult> {
  if (!isAction(action)) return failed("action_unknown", "The device knows no such action.");
  const parsed = deviceActions[action].input.safeParse(data);
  if (!parsed.success) {
    return failed("invalid_arguments", argumentWords(parsed.error));
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

const fileActions: readonly string[] = [
  "read_project_folder_file",
  "list_files",
  "read_lines",
  "grep_files",
  "search_content",
];

/** Calls about a project's files that reached it are in its own trail already. */
const hasOwnTrail = (action: string, given: object, { error }: ActionResult): boolean =>
  fileActions.includes(action) &&
  "project_id" in given &&
  !["invalid_arguments", "folder_not_linked", "folder_not_found", "internal"].includes(error ?? "");

function bounded(result: ActionResult): ActionResult {
  return { ...result, text: headWithNote(result.text, shownCharacters.deviceResult) };
}
