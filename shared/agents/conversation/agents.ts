import {
  categorizeActionNames,
  type DeviceActionName,
  deviceActionNames,
} from "../../../events/agent-tools/actions.ts";
import { categorizeAnswer } from "../../../events/agent-tools/categorize-answer.ts";
import type { AgentName, Exchanges } from "../../../events/frames/agents.ts";
import type { ProjectId, ProposalId } from "../../../events/ids.ts";
import type { Feature } from "../../billing/tiers.ts";
import type { Prompt } from "../../llm/prompt.ts";
import { agentBrief } from "../../llm/prompts/agent-brief.ts";
import { agentCategorize } from "../../llm/prompts/agent-categorize.ts";
import { agentHome } from "../../llm/prompts/agent-home.ts";
import { agentTaskBrief } from "../../llm/prompts/agent-task-brief.ts";
import { head } from "../../llm/shown-text.ts";
import type { AnswerForm } from "../../llm/tool-model.ts";

export const agentPrompts: Readonly<Record<AgentName, Prompt>> = {
  home: agentHome,
  brief: agentBrief,
  task_brief: agentTaskBrief,
  categorize: agentCategorize,
};

/** What gives what the person attached: asked for once, before the model is asked. */
export const attachmentsAction = "read_attachments" satisfies DeviceActionName;
/** Asked of the device for one proposal that stands to be sorted, or before the model is asked, and for nothing else. */
const ofItems: readonly DeviceActionName[] = ["read_item", "list_projects", "recall", "read_attachments"];
/** What answers from the person's own material may use. */
const general = deviceActionNames.filter((name) => !ofItems.includes(name));

/** What each agent may ask of the device. */
export const agentActions: Readonly<Record<AgentName, readonly DeviceActionName[]>> = {
  home: general,
  brief: general,
  task_brief: general,
  categorize: categorizeActionNames,
};

/** The form of an agent's answer, where it has one. */
export const answerForms: Partial<Readonly<Record<AgentName, AnswerForm>>> = {
  categorize: { name: "categorized_item", schema: categorizeAnswer },
};

/** What an agent's tokens are counted as. */
export const featureOf = (agent: AgentName): AgentFeature => (agent === "categorize" ? "categorize" : "agents");
export type AgentFeature = Extract<Feature, "agents" | "categorize">;

/** What a run asks of the device before it asks the model anything. */
export interface FirstHop {
  readonly action: DeviceActionName;
  readonly data: Readonly<Record<string, string | number>>;
}

/** Files a run is shown passages of before the model is asked: the right one is among the first, or not there. */
const foundFiles = 4;
const maxQueryCharacters = 1_000;

/** What a run is about, beside the person's words. */
export interface RunSubject {
  readonly projectId?: ProjectId | undefined;
  readonly proposalId?: ProposalId | undefined;
  /** How many things the person has attached. */
  readonly attached?: number | undefined;
}

/**
 * What a run begins with: the list of files, of all projects for `brief`, of its project for the others; and what the index
 * of that project has on the person's own words. Nothing without a project. `categorize` begins with the person's projects
 * and the item.
 */
export function firstHopsOf(
  agent: AgentName,
  { projectId: project, proposalId: proposal, attached = 0 }: RunSubject,
  message: string,
  earlier: Exchanges = [],
): readonly FirstHop[] {
  if (agent === "categorize") {
    const item: FirstHop[] = proposal === undefined ? [] : [{ action: "read_item", data: { proposal_id: proposal } }];
    return [{ action: "list_projects", data: {} }, ...item];
  }
  if (agent === "brief") return [{ action: "list_projects_with_folder_manifests", data: {} }];
  const attachments: FirstHop[] = attached > 0 ? [{ action: attachmentsAction, data: {} }] : [];
  if (project === undefined) return attachments;
  // "And who pays?" says what it is about by what was asked before.
  const said = [message.trim(), earlier.at(-1)?.question.trim() ?? ""].filter((text) => text !== "");
  const query = head(said.join("\n"), maxQueryCharacters);
  const list: FirstHop = { action: "read_project_folder_manifest", data: { project_id: project } };
  if (query === "") return [list, ...attachments];
  return [list, ...attachments, { action: "search_content", data: { project_id: project, query, limit: foundFiles } }];
}
