import { randomBytes } from "node:crypto";
import type { ProjectId } from "../../events/ids.ts";
import { escapedName } from "../../shared/privacy/delimiters.ts";
import { Redactor } from "../../shared/privacy/redaction/redact.ts";
import type { Approver } from "../access/policy/approver.ts";
import { type ActionResult, failed } from "../actions/action-result.ts";
import { isDeviceError } from "../errors.ts";
import { isProjectFilesError } from "../files/errors.ts";
import type { ToolDefinition } from "../workspace/tool-definition.ts";
import { approveOffer, offerDigest, offersIn } from "./offers.ts";
import { runTool, type ToolRun, type ToolSetting } from "./run-tool.ts";
import { confirmedToolList, readToolList, type ToolOffer } from "./tool-list.ts";

/** What a run of an agent can do with tools. */
export interface OfferedTools {
  /** What is offered in a project, as a model is told of it; "" when nothing is. */
  linesFor(projectId: ProjectId): string;
  run(name: string, projectId: ProjectId | undefined): Promise<ActionResult>;
}

export interface OfferedToolsOptions {
  readonly setting: ToolSetting;
  /** Who asks, for approvals and the audit: `agent:home`. */
  readonly caller: string;
  /** The run of the agent. */
  readonly session: string;
  /** Asked when an agent first wants to use what is offered. */
  readonly approver: (root: string) => Approver;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Tools that the person offers, for one run of an agent: by name alone, each with the arguments the person has fixed. They
 * run one after another, on a copy that holds what the agent may read and nothing else; what they change there waits for the
 * person.
 */
export function offeredTools({ setting, caller, session, approver, signal }: OfferedToolsOptions): OfferedTools {
  const redactor = new Redactor(randomBytes(32));
  let last: Promise<unknown> = Promise.resolve();

  const isLetRun = async (tool: ToolDefinition, offer: ToolOffer): Promise<boolean> => {
    const digest = offerDigest(tool, offer);
    if (offer.approved === digest) return true;
    const root = offer.projectId === null ? "" : (setting.store.projects.find(offer.projectId)?.folderPath ?? "");
    const said = Object.entries(offer.arguments).map(([name, value]) => ` ${name}=${value}`);
    const yes = await approver(root).approve(
      {
        kind: "tool",
        why: "tool_first_use",
        action: `run ${tool.name} (${tool.argv.map((part) => JSON.stringify(part)).join(" ")}${said.join("")})`,
        tool: "run_tool",
        caller,
        paths: [tool.name],
        reason: "an agent wants to use this tool for the first time; a yes holds until you withdraw or change it",
      },
      signal,
    );
    if (yes) await approveOffer(offer, digest, setting);
    return yes;
  };

  const run = async (name: string, projectId: ProjectId | undefined): Promise<ActionResult> => {
    const offered = offersIn(confirmedToolList(setting), projectId ?? null);
    const found = offered.find(({ tool }) => tool.name === name);
    if (found === undefined) {
      const names = offered.map(({ tool }) => tool.name).join(", ");
      return failed("refused", `No such tool is offered here. Offered: ${names || "none"}.`);
    }
    if (signal?.aborted || !(await isLetRun(found.tool, found.offer))) {
      return failed("refused", "The person has not let this tool be used. Go on without it.");
    }
    const project = projectId === undefined ? null : (setting.store.projects.find(projectId) ?? null);
    const ran = await runTool(
      {
        ...{ name, project, arguments: found.offer.arguments, caller, session },
        ...{ decision: "approved", isForAgent: true, ...(signal && { signal }) },
      },
      setting,
    );
    return resultOf(ran, redactor.redact(ran.output).text);
  };

  return {
    linesFor(projectId) {
      const { isConfirmed, ...list } = readToolList(setting);
      const lines = isConfirmed ? offersIn(list, projectId).map(({ tool }) => lineOf(tool)) : [];
      return lines.length === 0 ? "" : `\nPrograms the person offers in this project (run_tool):\n${lines.join("\n")}`;
    },
    run(name, projectId) {
      const ended = last.then(() => run(name, projectId)).catch(refusalOf);
      last = ended;
      return ended;
    },
  };
}

const lineOf = ({ name, description }: ToolDefinition) =>
  `${name}${description === "" ? "" : `: ${escapedName(description)}`}`;

/** What a tool printed, with how it ended; what it would change, by name. */
function resultOf({ tool, end, exitCode, offered, refused }: ToolRun, output: string): ActionResult {
  const changed = offered.map(({ path, action }) => `${action} ${path}`).slice(0, 100);
  const facts = {
    tool,
    end,
    exitCode: exitCode ?? null,
    ...(changed.length > 0 && { waitsForThePerson: changed }),
    ...(refused.length > 0 && { changesNotAllowed: refused.length }),
  };
  const text = `${JSON.stringify(facts)}\n${output}`;
  return { text };
}

/** What went wrong before it ran, in words that quote no path of the person's machine. */
function refusalOf(error: unknown): ActionResult {
  if (isDeviceError(error, "tool_list_unconfirmed", "tool_changes_waiting", "tool_unknown", "folder_not_linked")) {
    return failed("refused", `The tool was not run (${error.code}). The person can see why: scouts tool list`);
  }
  if (isDeviceError(error) || isProjectFilesError(error))
    return failed("refused", `The tool was not run (${error.code}).`);
  throw error;
}
